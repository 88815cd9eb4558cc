#pragma once

#include <optional>
#include <string>

#include "base/names.h"
#include "outbound/http_client.h"
#include "outbox/verdict.h"

// The errors of calls to the billing provider, and whether a call is retried. Pure.
namespace guildhall {

enum class BillingErrorCode {
  card_declined,    // dead; the tenant is informed
  rate_limited,     // retry
  invalid_request,  // dead
  network,          // retry
  authentication,   // dead; the operator is informed, as of the next two
  permission,       // dead
  idempotency,      // dead
  unknown,          // retry
};
BOOST_DESCRIBE_ENUM(BillingErrorCode, card_declined, rate_limited, invalid_request, network, authentication, permission,
                    idempotency, unknown)

struct BillingError {
  BillingErrorCode code;
  std::string message;  // as sent by the provider

  std::string text() const { return fmt::format("{}: {}", name_of(code), message); }
};

// Nothing if the call succeeded.
std::optional<BillingError> billing_error_of(const outbound::Reply& reply);

outbox::Verdict::Kind verdict_of(BillingErrorCode code);
bool concerns_operations(BillingErrorCode code);

}  // namespace guildhall
