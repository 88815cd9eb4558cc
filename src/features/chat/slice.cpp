#include "features/slice.h"

#include "api/api_config.h"
#include "base/worker_pools.h"
#include "features/chat/payment_reply.h"
#include "features/chat/routes.h"
#include "features/identity/auth.h"

namespace guildhall {
namespace {

std::unique_ptr<chat::Bot> make_bot(Database& db, Cache& cache, OutboundWorkers& outbound, Background& background,
                                    const chat::ChatConfig& config, const ChatPlatformConfig& platform,
                                    const IdentityConfig& identity, const InstallationConfig& installation,
                                    const Events& events, const PaymentService& payments,
                                    const std::optional<SecretBox>& secrets, ChatClient& client, Auth& auth,
                                    Metrics& metrics, const api::ApiConfig& limits) {
  return std::unique_ptr<chat::Bot>(
      new chat::Bot{.db = db,
                    .cache = cache,
                    .outbound = outbound,
                    .background = background,
                    .config = config,
                    .platform = platform,
                    .identity = identity,
                    .installation = installation,
                    .events = events,
                    .payments = payments,
                    .secrets = secrets,
                    .client = client,
                    .sessions = auth.sessions,
                    .ids = chat::CustomIds(identity.session_signing_secrets),
                    .limiter = api::RateLimiter(cache, metrics, limits.rate_limit_disabled)});
}

void handle_chat_topics(outbox::Dispatcher& dispatcher, Storage& storage, const PaymentService& payments) {
  dispatcher.handle(
      std::string(chat::payment_reply_topic),
      [&storage, &payments](const outbox::Delivery& delivery) {
        return chat::run_payment_reply(storage, payments, delivery);
      },
      chat::payment_reply_policy);
}

}  // namespace

Slice chat_slice() {
  return Slice("chat")
      .table({.name = "chat_carts",
              .personal = "chat_user_id product_id currency discount_code shipping_address order_id gift_to",
              .erased = "DELETE",
              .not_about = {"gift_to"}})
      .per_loop(make_bot)
      .routes(chat_routes)
      .routes(chat_setup_routes)
      .routes(binding_code_routes)
      .routes(guild_role_routes)
      .topics(handle_chat_topics);
}

}  // namespace guildhall
