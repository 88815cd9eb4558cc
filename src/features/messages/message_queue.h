#pragma once

#include "features/chat_platform/chat_platform_config.h"
#include "features/email/email_config.h"
#include "features/messages/alerts/alert_queue.h"
#include "features/messages/message_switches.h"
#include "features/orders/order.h"
#include "outbox/events.h"
#include "outbox/verdict.h"

// Queues the messages to buyers in the outbox, in the transaction of their cause. Each buyer has a lane for each
// medium, which is delivered in order (message_delivery.h).
namespace guildhall {

constexpr std::string_view direct_message_topic = "buyer.direct";
constexpr std::string_view email_message_topic = "buyer.email";

// A message whose text is made when it is sent.
struct BuyerMessage {
  MessageKind kind = MessageKind::ORDER_RECEIVED;
  std::string cause;  // an event that has one message for each medium
  std::string log_id{};
  std::string receiver_id{};
  std::string name{};  // of the receiver
  std::optional<std::string> customer_id{};
  std::optional<std::string> chat_user_id{};
  std::optional<std::string> email{};
  std::optional<std::string> order_id{};
  std::optional<std::string> product_id{};
  std::optional<std::string> entitlement_id{};
  std::optional<Instant> ends_at{};       // of a membership
  std::optional<Instant> link_ends_at{};  // of the link to an invoice; null: the usual time
  std::optional<std::string> giver{};
  std::optional<std::string> carrier{};
  std::optional<std::string> tracking_number{};
  std::optional<RoleDelay> delay{};
};
BOOST_DESCRIBE_STRUCT(BuyerMessage, (),
                      (kind, cause, log_id, receiver_id, name, customer_id, chat_user_id, email, order_id, product_id,
                       entitlement_id, ends_at, link_ends_at, giver, carrier, tracking_number, delay))

// How buyers can be reached.
struct MessageMedia {
  const ChatPlatformConfig& chat;
  const EmailConfig& smtp;
  std::shared_ptr<MessageSwitches> switches = std::make_shared<MessageSwitches>();
  std::shared_ptr<AlertReceivers> alerts = std::make_shared<AlertReceivers>();

  bool has_direct() const { return !chat.chat_bot_token.empty(); }
  bool has_email() const { return !smtp.smtp_url.empty(); }
};

// Queues a message with a link to the order's invoice by exactly these media, whatever the switches say. Throws
// bad_request NOT_REACHABLE if the buyer or the installation has no address for one of them.
void queue_invoice_link(const MessageMedia& media, const ActionContext& context, const Order& order,
                        std::span<const MessageMedium> wanted, Instant link_ends_at);

// Appends the message for one medium, unless its cause has one already. It takes its place among the messages of the
// receiver by the time of its cause.
void append_message(Tx& tx, const TenantId& tenant, MessageMedium medium, BuyerMessage message, Instant caused_at,
                    Instant now);

// Queues a message for each event of which a buyer is informed. If the buyer cannot be reached, or the shop does not
// send the message, nothing is written.
void subscribe_messages(Events& events, const MessageMedia& media);

}  // namespace guildhall
