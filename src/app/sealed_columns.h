#pragma once

#include <string_view>

namespace guildhall {

// A column whose values are sealed with the master key. The context of a value is `<context>/<primary key>`, the
// columns of the key separated by slashes.
struct SealedColumn {
  std::string_view table, column, context;
};

// All of them, for `guildhall rekey`. The texts of queued e-mails are sealed as well (features/email).
constexpr SealedColumn sealed_columns[]{
    {"auth_providers", "client_secret", "auth"},
    {"second_factors", "sealed_secret", "second-factor"},
    {"payment_methods", "credentials", "payments"},
    {"webhook_endpoints", "secret", "webhook-endpoint"},
    {"webhook_endpoints", "previous_secret", "webhook-endpoint"},
};

}  // namespace guildhall
