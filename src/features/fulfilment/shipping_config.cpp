#include "features/fulfilment/shipping_config.h"

#include "base/config_values.h"

namespace guildhall {

std::vector<VariableOf<ShippingConfig>> ShippingConfig::variables() {
  return {
      {"SHIPPING_WEBHOOK_SECRET", "", &ShippingConfig::shipping_webhook_secrets, parse_secrets,
       "The secret that the shipping provider signs its webhooks with; several, comma-separated, while one is being "
       "replaced. Without it production answers 500.",
       Exposure::secrets},
      {"RATE_LIMIT_SHIPPING_PER_MIN", "60", &ShippingConfig::rate_limit_shipping_per_min, parse_rate_per_minute,
       "Shipping webhooks a minute from one address."},
  };
}

}  // namespace guildhall
