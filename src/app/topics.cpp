#include "app/topics.h"

#include "features/billing/billing_provider.h"
#include "features/billing/routes.h"
#include "features/chat/payment_reply.h"
#include "features/chat_platform/chat_outbox.h"
#include "features/email/email.h"
#include "features/entitlements/chat_roles.h"
#include "features/entitlements/entitlement_actions.h"
#include "features/fulfilment/routes.h"
#include "features/messages/alerts/alert_delivery.h"
#include "features/messages/message_delivery.h"
#include "features/payments/refunds/refund_actions.h"
#include "features/payments/refunds/refund_service.h"

namespace guildhall {

void handle_all_topics(outbox::Dispatcher& dispatcher, const TopicNeeds& needs) {
  dispatcher.handle(std::string(webhook_retry_topic),
                    [&storage = needs.storage, &intake = needs.intake](const outbox::Delivery& delivery) {
                      return intake.try_again(storage, delivery);
                    });
  const auto endpoints = std::make_shared<EndpointDelivery>(needs.storage, needs.metrics, needs.secrets);
  dispatcher.handle(std::string(deliver_topic),
                    [endpoints](const outbox::Delivery& delivery) { return endpoints->deliver(delivery); });
  const auto roles = std::make_shared<ChatRoles>(needs.storage, needs.chat, needs.events);
  dispatcher.handle(
      std::string(chat_role_topic), [roles](const outbox::Delivery& delivery) { return roles->update_role(delivery); },
      chat_role_policy);
  dispatcher.handle(std::string(chat_check_topic),
                    [roles](const outbox::Delivery& delivery) { return roles->check(delivery); });
  dispatcher.handle(std::string(chat_message_topic),
                    [&chat = needs.chat, &storage = needs.storage](const outbox::Delivery& delivery) {
                      return send_chat_message(chat, storage, delivery);
                    });
  const auto buyers = std::make_shared<MessageDelivery>(needs.storage, needs.chat, needs.messages, needs.payments);
  dispatcher.handle(
      std::string(direct_message_topic),
      [buyers](const outbox::Delivery& delivery) { return buyers->send_direct(delivery); }, buyer_message_policy,
      outbox::Dispatcher::Order::as_appended);
  dispatcher.handle(
      std::string(email_message_topic),
      [buyers](const outbox::Delivery& delivery) { return buyers->send_email(delivery); }, buyer_message_policy,
      outbox::Dispatcher::Order::as_appended);
  const auto alerts = std::make_shared<AlertDelivery>(needs.storage, needs.chat, needs.messages);
  dispatcher.handle(
      std::string(direct_alert_topic),
      [alerts](const outbox::Delivery& delivery) { return alerts->send_direct(delivery); }, alert_policy);
  dispatcher.handle(
      std::string(email_alert_topic),
      [alerts](const outbox::Delivery& delivery) { return alerts->send_email(delivery); }, alert_policy);
  dispatcher.handle(
      std::string(chat_edit_topic),
      [&chat = needs.chat](const outbox::Delivery& delivery) { return edit_chat_answer(chat, delivery); },
      chat_edit_policy);
  dispatcher.handle(
      std::string(chat::payment_reply_topic),
      [&storage = needs.storage, &payments = needs.payments](const outbox::Delivery& delivery) {
        return chat::run_payment_reply(storage, payments, delivery);
      },
      chat::payment_reply_policy);
  dispatcher.handle(
      std::string(email_topic),
      [&config = needs.config, secrets = needs.secrets](const outbox::Delivery& delivery) {
        return deliver_email(config, secrets, delivery);
      },
      email_policy);
  dispatcher.handle(std::string(media_delete_topic),
                    [&media = needs.media](const outbox::Delivery& delivery) { return media.delete_files(delivery); });
  const OperationsContact operations{needs.config, needs.config};
  dispatcher.handle(std::string(billing_customer_topic),
                    [&config = needs.config, operations](const outbox::Delivery& delivery) {
                      return create_billing_customer(config, operations, delivery);
                    });
  dispatcher.handle(std::string(billing_subscription_topic),
                    [&config = needs.config, operations](const outbox::Delivery& delivery) {
                      return create_billing_subscription(config, operations, delivery);
                    });
  dispatcher.handle(std::string(payment_check_topic),
                    [&storage = needs.storage, &service = needs.payments](const outbox::Delivery& delivery) {
                      return service.carry_out_check(storage, delivery);
                    });
  dispatcher.handle(std::string(refund_topic),
                    [&storage = needs.storage, &service = needs.payments](const outbox::Delivery& delivery) {
                      return carry_out_refund(storage, service, delivery);
                    });
}

void handle_all_webhooks(WebhookIntake& intake, const Config& config, const PaymentService& payments) {
  intake.handle(shipping_webhooks, apply_shipping_event);
  for (const ProcessorDescriptor* processor : processor_list) {
    intake.handle(processor->webhook_provider, [&payments, provider = processor->provider](const ActionContext& context,
                                                                                           const IncomingEvent& event) {
      return payments.apply_stored_webhook(context, provider, event);
    });
  }
  if (!config.billing_bound()) return;
  intake.handle(billing_webhooks, [&config](const ActionContext& context, const IncomingEvent& event) {
    return apply_billing_webhook(context, {config, config}, event);
  });
}

}  // namespace guildhall
