#include "sandbox/environment.h"

#include <filesystem>
#include <fmt/format.h>

#include "base/encoding.h"
#include "sandbox/billing.h"
#include "sandbox/processor.h"
#include "sandbox/world.h"

namespace guildhall::sandbox {

std::vector<std::pair<std::string, std::string>> environment_for(const Options& options, std::uint16_t port) {
  const Secrets& secrets = options.secrets;
  const std::string base = fmt::format("http://127.0.0.1:{}", port);
  std::vector<std::pair<std::string, std::string>> variables{
      {"PUBLIC_BASE_URL", options.server},
      {"CHAT_API_BASE_URL", base + "/chat"},
      {"CHAT_BOT_TOKEN", secrets.of("chat bot")},
      {"CHAT_APPLICATION_ID", secrets.chat_application()},
      {"CHAT_INTERACTIONS_PUBLIC_KEY", hex(secrets.chat_key().public_key_bytes)},
      {"CHAT_OAUTH_CLIENT_ID", secrets.chat_application()},
      {"CHAT_OAUTH_CLIENT_SECRET", secrets.of("chat client")},
      {"CHAT_OAUTH_REDIRECT_URI", options.server + "/auth/chat/callback"},
      {"CHAT_OAUTH_AUTHORIZE_URL", base + "/chat/oauth2/authorize"},
      {"CHAT_OAUTH_TOKEN_URL", base + "/chat/oauth2/token"},
      {"CHAT_OAUTH_USER_URL", base + "/chat/users/@me"},
      {"CRYPTO_GATEWAY_BASE_URL", base + "/gateway"},
      {"CRYPTO_GATEWAY_STORE_ID", std::string(gateway_store)},
      {"CRYPTO_GATEWAY_API_KEY", secrets.of("gateway key")},
      {"CRYPTO_GATEWAY_WEBHOOK_SECRET", secrets.of("gateway webhooks")},
      {"CRYPTO_COMMERCE_BASE_URL", base + "/commerce"},
      {"CRYPTO_COMMERCE_API_KEY", secrets.of("commerce key")},
      {"CRYPTO_COMMERCE_WEBHOOK_SECRET", secrets.of("commerce webhooks")},
      {"WALLET_BASE_URL", base + "/wallet"},
      {"WALLET_CLIENT_ID", secrets.of("wallet client")},
      {"WALLET_CLIENT_SECRET", secrets.of("wallet secret")},
      {"WALLET_WEBHOOK_ID", std::string(wallet_webhook)},
      {"WALLET_CERT_ORIGIN", base},
      {"WALLET_CERT_CA_FILE", std::filesystem::absolute(secrets.wallet.path()).string()},
      {"APPPAY_BASE_URL", base + "/card"},
      {"APPPAY_ACCESS_TOKEN", secrets.of("card token")},
      {"APPPAY_LOCATION_ID", std::string(card_location)},
      {"APPPAY_WEBHOOK_SECRET", secrets.of("card webhooks")},
      {"SHIPPING_WEBHOOK_SECRET", secrets.of("shipping webhooks")},
      {"BILLING_BASE_URL", base + "/billing"},
      {"BILLING_API_KEY", secrets.of("billing key")},
      {"BILLING_PRICE_ID", std::string(billing_price)},
      {"BILLING_WEBHOOK_SECRET", secrets.of("billing webhooks")}};
  if (options.mail_port != 0) {
    variables.emplace_back("SMTP_URL", fmt::format("smtp://127.0.0.1:{}", options.mail_port));
    variables.emplace_back("SMTP_FROM", "shop@example.com");
  }
  return variables;
}

}  // namespace guildhall::sandbox
