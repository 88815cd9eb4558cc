#include "app/topics.h"

namespace guildhall {

void handle_all_topics(outbox::Dispatcher& dispatcher, const TopicNeeds& needs) {
  dispatcher.handle(std::string(webhook_retry_topic),
                    [&storage = needs.storage, &intake = needs.intake](const outbox::Delivery& delivery) {
                      return intake.try_again(storage, delivery);
                    });
}

void handle_all_webhooks(WebhookIntake&) {}

}  // namespace guildhall
