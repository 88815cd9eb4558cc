#pragma once

#include "app/config.h"
#include "features/chat_platform/chat_client.h"
#include "features/media/media.h"
#include "features/messages/messages.h"
#include "features/payments/payment_service.h"
#include "features/webhooks/endpoint_delivery.h"
#include "features/webhooks/webhook_intake.h"
#include "outbox/dispatcher.h"
#include "outbox/events.h"

namespace guildhall {

// The objects that the handlers of outbox topics use.
struct TopicNeeds {
  Storage& storage;
  const WebhookIntake& intake;
  Metrics& metrics;
  const SecretBox* secrets;  // may be null
  const Config& config;
  const Events& events;
  ChatClient& chat;
  const PaymentService& payments;
  const Messages& messages;
  const Media& media;
};

// Registers the handler of every topic of the outbox.
void handle_all_topics(outbox::Dispatcher& dispatcher, const TopicNeeds& needs);

// Registers the handler of every provider's webhooks.
void handle_all_webhooks(WebhookIntake& intake, const Config& config, const PaymentService& payments);

}  // namespace guildhall
