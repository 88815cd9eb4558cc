#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of the shipping provider's webhooks.
struct ShippingConfig {
  std::vector<std::string> shipping_webhook_secrets;  // several while one is being replaced
  std::int64_t rate_limit_shipping_per_min = 0;

  static std::vector<VariableOf<ShippingConfig>> variables();
};

}  // namespace guildhall
