#include "features/payments/payment_config.h"

#include "base/config_values.h"
#include "features/tenancy/installation_config.h"

namespace guildhall {
namespace {

constexpr std::size_t signing_secret_chars_min = 16;

std::string https_only(std::string_view url) {
  return url.starts_with("https://") ? "" : "must begin with https:// when SERVICE_ENV is production";
}

// A value of a processor's account, for tenants that have no account of their own.
template <class Parse>
VariableOf<PaymentConfig> processor_variable(std::string_view name, std::string_view fallback, Parse parse,
                                             std::string_view help, Exposure exposure = Exposure::plain) {
  const auto member = [name](PaymentConfig& config) -> std::string& {
    return config.payment_values[std::string(name)];
  };
  return {name, fallback, member, parse, help, exposure};
}

}  // namespace

std::vector<VariableOf<PaymentConfig>> PaymentConfig::variables() {
  return {
      {"INVOICE_LINK_SIGNING_SECRET", "", &PaymentConfig::invoice_link_signing_secret, parse_text,
       "Signs pay-by-invoice links; without it none are made. Several, comma-separated, while one is being replaced: "
       "the first signs, all verify. A secret may begin with a key id: `id:secret`.",
       Exposure::secrets, each_secret_chars_min(signing_secret_chars_min)},
      {"PAYMENT_CHECK_AFTER_SECONDS", "900", &PaymentConfig::payment_check_after_seconds, integer(1, 86'400),
       "The processor is asked about a payment that has been open for this long, repeatedly: 1 to 86400."},
      {"RATE_LIMIT_PAYMENTS_PER_MIN", "600", &PaymentConfig::rate_limit_payments_per_min, parse_rate_per_minute,
       "Payment webhooks a minute from one address; a processor sends the webhooks of all shops from a few addresses."},
      {"WALLET_CERT_ORIGIN", "https://paypal.com", &PaymentConfig::wallet_cert_origin, parse_base_url,
       "Domain of the certificates of the wallet's webhooks, which are fetched from its API hosts only (`api.`, "
       "`api-m.`, and their `sandbox.`); with a port it is one host, and plain http is allowed: for development only.",
       Exposure::plain, https_only},
      {"WALLET_CERT_CA_FILE", "", &PaymentConfig::wallet_cert_ca_file, parse_text,
       "A PEM file of the authorities that the wallet's certificates must come from; default: the system's."},
      processor_variable("CRYPTO_GATEWAY_BASE_URL", "", parse_base_url,
                         "Address of the crypto gateway (method `BTC_GATEWAY`)."),
      processor_variable("CRYPTO_GATEWAY_STORE_ID", "", parse_text,
                         "Store at the crypto gateway, for tenants without their own."),
      processor_variable("CRYPTO_GATEWAY_API_KEY", "", parse_text,
                         "API key of the crypto gateway, for tenants without their own.", Exposure::secret),
      processor_variable("CRYPTO_GATEWAY_WEBHOOK_SECRET", "", parse_text,
                         "Secret of the crypto gateway's webhooks, for tenants without their own.", Exposure::secret),
      processor_variable("CRYPTO_COMMERCE_BASE_URL", "https://api.commerce.coinbase.com", parse_base_url,
                         "Address of the processor of method `CRYPTO_COMMERCE`."),
      processor_variable("CRYPTO_COMMERCE_API_KEY", "", parse_text, "Its API key, for tenants without their own.",
                         Exposure::secret),
      processor_variable("CRYPTO_COMMERCE_WEBHOOK_SECRET", "", parse_text,
                         "Secret of its webhooks, for tenants without their own.", Exposure::secret),
      processor_variable("WALLET_BASE_URL", "https://api-m.paypal.com", parse_base_url,
                         "Address of the processor of method `WALLET`."),
      processor_variable("WALLET_CLIENT_ID", "", parse_text, "Its client id, for tenants without their own."),
      processor_variable("WALLET_CLIENT_SECRET", "", parse_text, "Its client secret, for tenants without their own.",
                         Exposure::secret),
      processor_variable("WALLET_WEBHOOK_ID", "", parse_text, "Id of its webhook, for tenants without their own."),
      processor_variable("APPPAY_BASE_URL", "https://connect.squareup.com", parse_base_url,
                         "Address of the processor of method `APPPAY`."),
      processor_variable("APPPAY_ACCESS_TOKEN", "", parse_text, "Its access token, for tenants without their own.",
                         Exposure::secret),
      processor_variable("APPPAY_LOCATION_ID", "", parse_text, "Its location, for tenants without their own."),
      processor_variable("APPPAY_WEBHOOK_SECRET", "", parse_text,
                         "Signature key of its webhooks, for tenants without their own.", Exposure::secret),
  };
}

}  // namespace guildhall
