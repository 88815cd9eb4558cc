#include "app/app.h"
#include "app/config.h"
#include "base/config_values.h"

namespace guildhall {
namespace {

constexpr std::size_t signing_secret_chars = 32;
constexpr std::size_t admin_password_chars = 12;

struct Rule {
  bool (*applies)(const Config& config);
  ConfigWarning warning;
};

bool is_short(const std::string& secret, std::size_t chars) {
  return !secret.empty() && secret.size() < chars;
}

constexpr Rule rules[]{
    {[](const Config& c) { return c.development; },
     {"SERVICE_ENV is development: not for real shops.", "Set SERVICE_ENV=production for real shops."}},
    {[](const Config& c) { return c.development; },
     {"Payment webhooks that have no secret are not verified in development.",
      "Set the webhook secrets of the payment methods that are tried out."}},
    {[](const Config& c) { return c.rate_limit_disabled; },
     {"RATE_LIMIT_DISABLED is true: rate limits are off.", "Remove RATE_LIMIT_DISABLED: it is for tests only."}},
    {[](const Config& c) {
       return !c.development &&
              std::any_of(c.session_signing_secrets.begin(), c.session_signing_secrets.end(),
                          [](const std::string& secret) { return is_short(secret, signing_secret_chars); });
     },
     {"SESSION_SIGNING_SECRET is shorter than 32 characters.",
      "Put a longer one before it, separated by a comma, for example the output of `openssl rand -hex 32`; remove the "
      "short one after SESSION_TTL_SECONDS."}},
    {[](const Config& c) {
       return !c.development && !c.invoice_link_signing_secret.empty() &&
              shortest_secret(c.invoice_link_signing_secret) < signing_secret_chars;
     },
     {"INVOICE_LINK_SIGNING_SECRET is shorter than 32 characters.",
      "Put a longer one before it, separated by a comma, and remove the short one when its links have expired."}},
    {[](const Config& c) { return !c.development && is_short(c.local_admin_password, admin_password_chars); },
     {"LOCAL_ADMIN_PASSWORD is shorter than 12 characters.", "Choose a longer one."}},
    {[](const Config& c) { return !c.development && c.service_master_keys.empty(); },
     {"SERVICE_MASTER_KEY is not set: tenants cannot store secrets.",
      "Set it to the output of `openssl rand -hex 32`, and keep it: what is sealed with it cannot be read without "
      "it."}},
    {[](const Config& c) { return !c.development && !c.secure_cookies(); },
     {"PUBLIC_BASE_URL is not https: session cookies are sent without Secure.",
      "Put a TLS proxy in front, and set PUBLIC_BASE_URL to its https address."}},
    {[](const Config& c) { return c.chat_public_key.empty() && (c.development || c.chat_interactions_unverified); },
     {"CHAT_INTERACTIONS_PUBLIC_KEY is not set: anybody's chat interactions are believed.",
      "Set it to the application's public key, and remove CHAT_INTERACTIONS_UNVERIFIED."}},
    {[](const Config& c) { return c.chat_public_key.empty() && !c.development && !c.chat_interactions_unverified; },
     {"CHAT_INTERACTIONS_PUBLIC_KEY is not set: all chat interactions but pings are refused.",
      "Set it to the application's public key if the chat bot is used."}},
    {[](const Config& c) { return c.development && c.shipping_webhook_secrets.empty(); },
     {"SHIPPING_WEBHOOK_SECRET is not set: anybody's shipping events are believed.",
      "Set it to the secret that the shipping provider signs with."}},
    {[](const Config& c) { return c.development && c.billing_bound() && c.billing_webhook_secrets.empty(); },
     {"BILLING_WEBHOOK_SECRET is not set: anybody's billing events are believed.",
      "Set it to the secret that the billing provider signs with."}},
};

}  // namespace

std::vector<ConfigWarning> config_warnings(const Config& config) {
  std::vector<ConfigWarning> warnings;
  for (const Rule& rule : rules) {
    if (rule.applies(config)) warnings.push_back(rule.warning);
  }
  return warnings;
}

std::vector<std::string> warnings_of(const Config& config) {
  std::vector<std::string> messages;
  for (const ConfigWarning& warning : config_warnings(config)) messages.emplace_back(warning.message);
  return messages;
}

}  // namespace guildhall
