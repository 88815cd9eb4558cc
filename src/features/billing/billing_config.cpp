#include "features/billing/billing_config.h"

#include "base/config_values.h"

namespace guildhall {

std::vector<VariableOf<BillingConfig>> BillingConfig::variables() {
  return {
      {"PLATFORM_BILLING_ENABLED", "false", &BillingConfig::platform_billing_enabled, parse_bool,
       "Takes the billing provider's webhooks; also true when `BILLING_WEBHOOK_SECRET` or `BILLING_API_KEY` is set."},
      {"BILLING_WEBHOOK_SECRET", "", &BillingConfig::billing_webhook_secrets, parse_secrets,
       "The secret that the billing provider signs its webhooks with; several, comma-separated, while one is being "
       "replaced. Without it production answers 500.",
       Exposure::secrets},
      {"BILLING_BASE_URL", "https://api.stripe.com", &BillingConfig::billing_base_url, parse_base_url,
       "The billing provider's address."},
      {"BILLING_API_KEY", "", &BillingConfig::billing_api_key, parse_text,
       "With it every new tenant gets a customer at the billing provider.", Exposure::secret},
      {"BILLING_PRICE_ID", "", &BillingConfig::billing_price_id, parse_text,
       "With it new customers also get a subscription at this price."},
      {"RATE_LIMIT_BILLING_PER_MIN", "60", &BillingConfig::rate_limit_billing_per_min, parse_rate_per_minute,
       "Billing webhooks a minute from one address."},
  };
}

}  // namespace guildhall
