#include "features/slice.h"

#include "features/webhooks/endpoint_delivery.h"
#include "features/webhooks/routes.h"
#include "features/webhooks/webhook_config.h"

namespace guildhall {
namespace {

std::unique_ptr<WebhookEndpoints> make_webhook_endpoints(Database& db, const std::optional<SecretBox>& secrets,
                                                         const WebhookConfig& config, const PublishedEvents& events) {
  return std::unique_ptr<WebhookEndpoints>(new WebhookEndpoints{
      .db = db,
      .secrets = secrets ? &*secrets : nullptr,
      .rules = {.targets = config.webhook_private_targets ? TargetRule::any : TargetRule::public_https,
                .event_names = events.names}});
}

void publish_to_endpoints(Events& events) {
  events.set_publisher(endpoint_publisher());
}

void handle_webhook_topics(outbox::Dispatcher& dispatcher, Storage& storage, const WebhookIntake& intake,
                           Metrics& metrics, const std::optional<SecretBox>& secrets) {
  dispatcher.handle(std::string(webhook_retry_topic), [&storage, &intake](const outbox::Delivery& delivery) {
    return intake.try_again(storage, delivery);
  });
  const auto endpoints = std::make_shared<EndpointDelivery>(storage, metrics, secrets ? &*secrets : nullptr);
  dispatcher.handle(std::string(deliver_topic),
                    [endpoints](const outbox::Delivery& delivery) { return endpoints->deliver(delivery); });
}

}  // namespace

Slice webhooks_slice() {
  return Slice("webhooks")
      .table({.name = "webhook_events",
              .other = "provider event_id source status verified_with",
              .personal = "payload error",
              .erased = "payload = NULL, error = NULL, version = version + 1"})
      .table({.name = "webhook_endpoints",
              .other = "url description events disabled_reason",
              .sealed = "secret previous_secret",
              .sealed_for = "webhook-endpoint"})
      .table({.name = "webhook_deliveries",
              .other = "endpoint_id message_id event outcome",
              .personal = "payload error",
              .erased = "payload = '{}', error = NULL"})
      .per_loop(make_webhook_endpoints)
      .routes(webhook_event_routes)
      .routes(webhook_endpoint_routes)
      .subscribes(publish_to_endpoints)
      .topics(handle_webhook_topics);
}

}  // namespace guildhall
