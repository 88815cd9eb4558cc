#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of payments.
struct PaymentConfig {
  std::string invoice_link_signing_secret;
  std::int64_t payment_check_after_seconds = 0;
  std::int64_t rate_limit_payments_per_min = 0;
  // The processors' variables that are set, by name: the values of tenants' payment methods that have none of their
  // own.
  std::map<std::string, std::string, std::less<>> payment_values;
  std::string wallet_cert_origin, wallet_cert_ca_file;

  static std::vector<VariableOf<PaymentConfig>> variables();
};

}  // namespace guildhall
