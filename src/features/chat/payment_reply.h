#pragma once

#include "features/chat/bot.h"

// The reply that says how an order is paid. Opening the payment may take longer than the platform waits for a reply,
// and longer than this process lives. So the transaction of the order also writes an outbox message that opens the
// payment and edits the reply. The process that answers the interaction withdraws the message when it has done the work
// itself; after a crash the outbox does it.
namespace guildhall::chat {

constexpr std::string_view payment_reply_topic = "chat.payment";

constexpr outbox::RetryPolicy payment_reply_policy{
    .first = std::chrono::seconds(2), .longest = std::chrono::seconds(30), .attempts_max = 60};

struct PaymentReply {
  std::string application_id;  // of the interaction
  std::string token;           // of the interaction
  std::string chat_user_id;
  std::string locale;
  OrderId order_id;
  PaymentMethod method;
  std::string invoice_url;  // empty if this server cannot sign links
};
BOOST_DESCRIBE_STRUCT(PaymentReply, (), (application_id, token, chat_user_id, locale, order_id, method, invoice_url))

// Opens the payment and returns the message that says how to pay. If the processor does not answer, the order remains,
// and the message links to the invoice page instead. Several calls for one order open one payment.
Task<Message> open_payment(Database& db, const PaymentService& payments, Actor actor, Order order, PaymentReply reply);

// Returns the outbox message's id.
std::string queue_payment_reply(Tx& tx, const TenantId& tenant, const PaymentReply& reply, Instant now);

// The outbox's handler of payment_reply_topic.
outbox::Verdict run_payment_reply(Storage& storage, const PaymentService& payments, const outbox::Delivery& delivery);

// The messages that say how to pay. Pure.

// Names the address to which coins are sent, and links to the processor's page.
Message deposit_message(const Order& order, const Checkout& checkout, const Deposit& deposit, std::string_view locale,
                        Instant now);

// Links to the processor's page.
Message checkout_message(const Order& order, PaymentMethod method, const Checkout& checkout, std::string_view locale);

// For a method without a processor: shows the shop's instructions.
Message manual_message(const Order& order, PaymentMethod method, const std::string& instructions,
                       std::string_view locale);

// For a processor that does not answer. `invoice_url` may be empty.
Message pay_later_message(const Order& order, const std::string& invoice_url, std::string_view locale);

// For an order that is paid, cancelled or refunded, or whose payment is being processed.
Message nothing_due(const Order& order);

}  // namespace guildhall::chat
