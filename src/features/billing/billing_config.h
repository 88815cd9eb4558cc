#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of the billing of tenants by the platform.
struct BillingConfig {
  bool platform_billing_enabled = false;
  std::vector<std::string> billing_webhook_secrets;  // several while one is being replaced
  std::string billing_base_url;
  std::string billing_api_key;   // empty: the provider is not called
  std::string billing_price_id;  // empty: new tenants get a customer, but no subscription
  std::int64_t rate_limit_billing_per_min = 0;

  // Whether the provider's webhooks are accepted.
  bool billing_bound() const {
    return platform_billing_enabled || !billing_webhook_secrets.empty() || !billing_api_key.empty();
  }

  static std::vector<VariableOf<BillingConfig>> variables();
};

}  // namespace guildhall
