#include "features/payments/payment_config.h"

#include "base/config_values.h"
#include "features/payments/processors/processor_list.h"
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
  std::vector<VariableOf<PaymentConfig>> all = {
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
  };
  for (const ProcessorDescriptor* each : processor_list) {
    all.push_back(
        processor_variable(each->address.variable, each->address.fallback, parse_base_url, each->address.help));
    for (const MethodValue& value : each->values) {
      if (value.variable.empty()) continue;
      all.push_back(processor_variable(value.variable, "", parse_text, value.help,
                                       value.kind == ValueKind::secret ? Exposure::secret : Exposure::plain));
    }
  }
  return all;
}

}  // namespace guildhall
