#include "features/chat/payment_reply.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "base/log.h"
#include "features/chat_platform/chat_outbox.h"
#include "features/orders/order_store.h"
#include "outbox/outbox.h"

namespace guildhall::chat {
namespace {

// Nothing if the processor does not return an address: the member can still pay on its page.
Task<std::optional<Deposit>> deposit_of(Database& db, const PaymentService& payments, const Order& order,
                                        PaymentMethod method, const Checkout& checkout) {
  try {
    co_return co_await payments.deposit(db, order.tenant_id, method, checkout);
  } catch (const std::exception& failure) {
    log::warn("chat: no deposit address", {{"order", order.id.text()}, {"error", failure.what()}});
  }
  co_return std::nullopt;
}

// Runs a coroutine on an event loop of its own and waits until it has ended. For the outbox's threads, which have no
// loop.
Message run_on_own_loop(Storage& storage, FunctionRef<Task<Message>(Database&)> work) {
  boost::asio::io_context io;
  const auto guard = boost::asio::make_work_guard(io);
  const auto db = storage.open(io);
  std::exception_ptr failure;
  Message result;
  boost::asio::co_spawn(io, work(*db), [&](std::exception_ptr thrown, Message message) {
    failure = thrown;
    result = std::move(message);
    io.stop();
  });
  io.run();
  if (failure) std::rethrow_exception(failure);
  return result;
}

}  // namespace

Task<Message> open_payment(Database& db, const PaymentService& payments, Actor actor, Order order, PaymentReply reply) {
  const std::string back =
      reply.invoice_url.empty() ? payments.installation().public_base_url : reply.invoice_url + "/return";
  try {
    const auto checkout = co_await payments.open(db, actor, order, reply.method, back);
    if (!checkout) co_return nothing_due(order);
    const auto deposit = co_await deposit_of(db, payments, order, reply.method, *checkout);
    co_return deposit ? deposit_message(order, *checkout, *deposit, reply.locale, now())
                      : checkout_message(order, reply.method, *checkout, reply.locale);
  } catch (const std::exception& failure) {  // of the processor, or because no thread is free
    log::warn("chat: a payment was not opened", {{"tenant", order.tenant_id.text()},
                                                 {"order", order.id.text()},
                                                 {"method", name_of(reply.method)},
                                                 {"error", failure.what()}});
  }
  co_return pay_later_message(order, reply.invoice_url, reply.locale);
}

std::string queue_payment_reply(Tx& tx, const TenantId& tenant, const PaymentReply& reply, Instant now) {
  return outbox::append(
      tx, {tenant, std::string(payment_reply_topic), to_json(reply), now + fallback_after, nonce_of(reply.token)}, now);
}

outbox::Verdict run_payment_reply(Storage& storage, const PaymentService& payments, const outbox::Delivery& delivery) {
  const auto reply = from_json<PaymentReply>(delivery.payload);
  if (delivery.created_at + interaction_token_lifetime < now())
    return outbox::dead("The interaction's token has expired.");
  std::optional<Order> order;
  storage.read_now([&](Tx& tx) { order = tx.one(order_by_id(delivery.tenant, reply.order_id)); });
  if (!order) return outbox::dead("The order does not exist any more.");
  const Actor actor{ActorKind::CHAT, reply.chat_user_id, ""};
  const Message message =
      run_on_own_loop(storage, [&](Database& db) { return open_payment(db, payments, actor, *order, reply); });
  return outbox::done([tenant = delivery.tenant, reply, message](Tx& tx) {
    const Instant at = now();
    queue_edit(tx, tenant, {reply.application_id, reply.token}, message, at, at);
  });
}

}  // namespace guildhall::chat
