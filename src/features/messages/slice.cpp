#include "features/slice.h"

#include "features/identity/user_actions.h"
#include "features/messages/alerts/alert_delivery.h"
#include "features/messages/alerts/alert_queue.h"
#include "features/messages/alerts/alert_store.h"
#include "features/messages/alerts/push_store.h"
#include "features/messages/message_delivery.h"
#include "features/messages/message_queue.h"
#include "features/messages/routes.h"

namespace guildhall {
namespace {

void subscribe_messages_and_alerts(Events& events, const Messages& messages) {
  subscribe_messages(events, messages.media);
  subscribe_alerts(events, messages.media.alerts);
}

void forget_deleted_users(Events& events) {
  events.subscribe<UserDeleted>([](const ActionContext& context, const UserDeleted& event) {
    const AlertedPerson person{event.user.tenant_id, event.user.id};
    delete_alert_settings(context.tx, person);
    delete_push_subscriptions(context.tx, person);
  });
}

void handle_message_topics(outbox::Dispatcher& dispatcher, Storage& storage, ChatClient& chat, const Messages& messages,
                           const PaymentService& payments, const std::optional<SecretBox>& secrets) {
  const auto buyers = std::make_shared<MessageDelivery>(storage, chat, messages, payments, secrets);
  dispatcher.handle(
      std::string(direct_message_topic),
      [buyers](const outbox::Delivery& delivery) { return buyers->send_direct(delivery); }, buyer_message_policy,
      outbox::Dispatcher::Order::as_appended);
  dispatcher.handle(
      std::string(email_message_topic),
      [buyers](const outbox::Delivery& delivery) { return buyers->send_email(delivery); }, buyer_message_policy,
      outbox::Dispatcher::Order::as_appended);
  const auto alerts = std::make_shared<AlertDelivery>(storage, chat, messages);
  dispatcher.handle(
      std::string(direct_alert_topic),
      [alerts](const outbox::Delivery& delivery) { return alerts->send_direct(delivery); }, alert_policy);
  dispatcher.handle(
      std::string(email_alert_topic),
      [alerts](const outbox::Delivery& delivery) { return alerts->send_email(delivery); }, alert_policy);
  dispatcher.handle(
      std::string(push_alert_topic), [alerts](const outbox::Delivery& delivery) { return alerts->send_push(delivery); },
      alert_policy);
}

}  // namespace

Slice messages_slice() {
  return Slice("messages")
      .table({.name = "message_settings", .other = "locale kinds texts"})
      .table({.name = "message_log",
              .other = "kind medium status customer_id order_id cause_key",
              .personal = "chat_user_id reason",
              .erased = "chat_user_id = NULL, reason = NULL",
              .not_about = {"order_id"}})
      .table({.name = "alert_settings", .other = "user_tenant_id user_id locale kinds"})
      .table({.name = "push_subscriptions", .other = "user_tenant_id user_id", .account = "endpoint p256dh auth"})
      .table({.name = "vapid_keys", .other = "public_key", .sealed = "sealed_key", .sealed_for = "vapid"})
      .table({.name = "message_receivers", .personal = "locale", .erased = "DELETE"})
      .routes(message_routes)
      .routes(unsubscribe_routes)
      .routes(alert_routes)
      .routes(push_routes)
      .routes(invoice_message_routes)
      .subscribes(subscribe_messages_and_alerts, Slice::Turn::informs)
      .subscribes(forget_deleted_users)
      .topics(handle_message_topics);
}

}  // namespace guildhall
