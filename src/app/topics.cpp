#include "app/topics.h"

#include "features/fulfilment/shipping_webhook.h"

namespace guildhall {

void handle_all_topics(outbox::Dispatcher& dispatcher, const TopicNeeds& needs) {
  dispatcher.handle(std::string(webhook_retry_topic),
                    [&storage = needs.storage, &intake = needs.intake](const outbox::Delivery& delivery) {
                      return intake.try_again(storage, delivery);
                    });
  const auto endpoints = std::make_shared<EndpointDelivery>(needs.storage, needs.metrics, needs.secrets);
  dispatcher.handle_locally(std::string(event_topic),
                            [](Tx& tx, const outbox::Delivery& delivery) { fan_out_event(tx, delivery, now()); });
  dispatcher.handle(std::string(deliver_topic),
                    [endpoints](const outbox::Delivery& delivery) { return endpoints->deliver(delivery); });
}

void handle_all_webhooks(WebhookIntake& intake, const Events& events) {
  intake.handle(WebhookProvider::SHIPPING, [&events](Tx& tx, const IncomingEvent& event, Instant now) {
    return apply_shipping_event(tx, events, event, now);
  });
}

}  // namespace guildhall
