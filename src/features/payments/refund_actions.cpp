#include "features/payments/refund_actions.h"

#include "audit/audit.h"
#include "base/decimal.h"
#include "base/storable_text.h"
#include "features/orders/order_actions.h"
#include "features/orders/order_store.h"
#include "features/payments/payment_store.h"
#include "features/payments/refund_store.h"
#include "outbox/outbox.h"

namespace guildhall {
namespace {

constexpr std::chrono::seconds carried_out_by_outbox_after{30};

struct RefundChange {
  Tx& tx;
  const Events& events;
  const TenantId& tenant;
  const Actor& actor;
  Instant now;
};

void change_payment(Tx& tx, const Actor& actor, Payment& payment, Instant now, FunctionRef<void(Payment&)> edit) {
  const Payment before = payment;
  edit(payment);
  payment.updated_at = now;
  update_payment(tx, payment);
  audit_change(tx, payment.tenant_id, actor, {"payment", payment.id.text()}, &before, &payment, now);
}

// An order without a payment of ours was paid some other way: that becomes a record of its own to give back from.
Payment manual_payment(Tx& tx, const Actor& actor, const Order& order, Instant now) {
  const std::string currency(order.currency.code());
  const Payment payment{.id = PaymentId::make(now),
                        .tenant_id = {order.tenant_id},
                        .order_id = order.id,
                        .provider = PaymentProvider::MANUAL,
                        .provider_payment_id = order.id.text(),
                        .status = PaymentStatus::PAID,
                        .amount_cents = order.total_cents,
                        .currency = currency,
                        .expected_cents = order.total_cents,
                        .expected_currency = currency,
                        .created_at = now,
                        .updated_at = now,
                        .version = {1}};
  if (!insert_payment(tx, payment)) throw WriteRace();
  audit_change<Payment>(tx, order.tenant_id, actor, {"payment", payment.id.text()}, nullptr, &payment, now);
  return payment;
}

std::vector<Payment> payments_with_money(Tx& tx, const TenantId& tenant, const OrderId& order) {
  auto payments = tx.all(payments_of_order(tenant, order));
  std::erase_if(payments, [](const Payment& payment) { return !has_money(payment.status); });
  return payments;
}

// All of a payment has gone back, and perhaps with it all that the order was paid with.
void conclude(const RefundChange& change, Payment& payment) {
  for (const Refund& other : change.tx.all(refunds_of_payment(change.tenant, payment.id))) {
    if (other.status == RefundStatus::PENDING) return;
  }
  if (left_of(payment) > Cents()) return;
  change_payment(change.tx, change.actor, payment, change.now, [](Payment& returned) {
    returned.status = PaymentStatus::REFUNDED;
    returned.attention.reset();
  });
  hold_payments(change.tx, change.tenant, payment.order_id);
  const auto all = payments_with_money(change.tx, change.tenant, payment.order_id);
  const bool all_returned =
      std::all_of(all.begin(), all.end(), [](const Payment& each) { return each.status == PaymentStatus::REFUNDED; });
  const auto order = change.tx.one(order_by_id(change.tenant, payment.order_id));
  if (!all_returned || !order || !counts_as_paid(order->status)) return;
  move_order(change.tx, change.events, change.tenant, change.actor, order->id, OrderStatus::REFUNDED, change.now);
}

Refund new_refund(const Payment& payment, Cents amount, Instant now) {
  return {.id = RefundId::make(now),
          .tenant_id = payment.tenant_id,
          .order_id = payment.order_id,
          .payment_id = payment.id,
          .amount_cents = amount,
          .currency = payment.currency,
          .created_at = now,
          .updated_at = now,
          .version = {1}};
}

// Reserves on the payment, whose version sees to it that nobody else does at the same time.
void reserve(const RefundChange& change, Payment& payment, const Refund& refund) {
  change_payment(change.tx, change.actor, payment, change.now,
                 [&](Payment& reserved) { reserved.refunded_cents += refund.amount_cents; });
  insert_refund(change.tx, refund);
  audit_change<Refund>(change.tx, change.tenant, change.actor, {"refund", refund.id.text()}, nullptr, &refund,
                       change.now);
}

void mark(const RefundChange& change, Refund& refund, FunctionRef<void(Refund&)> edit) {
  const Refund before = refund;
  edit(refund);
  refund.updated_at = change.now;
  update_refund(change.tx, refund);
  audit_change(change.tx, change.tenant, change.actor, {"refund", refund.id.text()}, &before, &refund, change.now);
}

void mark_done(const RefundChange& change, Refund& refund, const std::string& provider_refund_id) {
  mark(change, refund, [&](Refund& done) {
    done.status = RefundStatus::DONE;
    done.error.reset();
    if (!provider_refund_id.empty()) done.provider_refund_id = storable_text(provider_refund_id, 200);
  });
  auto payment = change.tx.one(payment_by_id(change.tenant, refund.payment_id));
  if (payment) conclude(change, *payment);
}

}  // namespace

std::vector<Refund> begin_refunds(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor,
                                  const OrderId& order_id, const RefundInput& input,
                                  FunctionRef<bool(PaymentProvider)> can_refund, Instant now) {
  const RefundChange change{tx, events, tenant, actor, now};
  const auto order = tx.one(order_by_id(tenant, order_id));
  if (!order) throw not_found("Order");
  auto payments = payments_with_money(tx, tenant, order_id);
  if (payments.empty() && counts_as_paid(order->status)) payments.push_back(manual_payment(tx, actor, *order, now));
  std::optional<Cents> amount;
  if (input.amount_cents) amount = Cents(*input.amount_cents);

  std::vector<Refund> refunds;
  for (const RefundShare& share : share_refund(payments, amount, order->currency.code())) {
    Payment& payment = payments[share.payment];
    Refund refund = new_refund(payment, share.amount, now);
    refund.reason = input.reason ? std::optional(input.reason->value) : std::nullopt;
    refund.through_processor = can_refund(payment.provider) && payment.provider_reference.value;
    refund.status = refund.through_processor ? RefundStatus::PENDING : RefundStatus::DONE;
    reserve(change, payment, refund);
    if (refund.through_processor) {
      outbox::append(tx,
                     {.tenant = tenant,
                      .topic = std::string(refund_topic),
                      .payload = to_json(RefundMessage{refund.id}),
                      .due = now + carried_out_by_outbox_after,
                      .receiver = std::string(name_of(payment.provider))},
                     now);
    } else {
      conclude(change, payment);
    }
    refunds.push_back(std::move(refund));
  }
  return refunds;
}

void finish_refund(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor, const RefundId& id,
                   const std::string& provider_refund_id, Instant now) {
  auto refund = tx.one(refund_by_id(tenant, id));
  if (!refund || refund->status != RefundStatus::PENDING) return;
  mark_done({tx, events, tenant, actor, now}, *refund, provider_refund_id);
}

void fail_refund(Tx& tx, const TenantId& tenant, const Actor& actor, const RefundId& id, const std::string& reason,
                 Instant now) {
  auto refund = tx.one(refund_by_id(tenant, id));
  if (!refund || refund->status != RefundStatus::PENDING) return;
  static const Events nobody_listens;
  mark({tx, nobody_listens, tenant, actor, now}, *refund, [&](Refund& failed) {
    failed.status = RefundStatus::FAILED;
    failed.error = storable_text(reason);
  });
  auto payment = tx.one(payment_by_id(tenant, refund->payment_id));
  if (!payment) return;
  change_payment(tx, actor, *payment, now, [&](Payment& held) { held.refunded_cents -= refund->amount_cents; });
}

void note_refund(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor, PaymentProvider provider,
                 const RefundNews& news, Instant now) {
  const RefundChange change{tx, events, tenant, actor, now};
  auto payment = tx.one(payment_by_reference(tenant, provider, news.reference));
  const auto currency = Currency::parse(news.currency);
  if (!payment || !currency || news.currency != payment->currency || !has_money(payment->status)) return;
  const auto amount = parse_decimal(news.amount, *currency);
  if (!amount || *amount == Cents()) return;
  auto refunds = tx.all(refunds_of_payment(tenant, payment->id));
  for (Refund& known : refunds) {
    if (known.provider_refund_id == news.provider_refund_id) return;
  }
  for (Refund& ours : refunds) {  // the news of our own may be quicker than the answer to our question
    if (ours.status == RefundStatus::PENDING && ours.amount_cents == *amount) {
      return mark_done(change, ours, news.provider_refund_id);
    }
  }
  if (left_of(*payment) == Cents()) return;
  Refund refund = new_refund(*payment, std::min(*amount, left_of(*payment)), now);
  refund.status = RefundStatus::DONE;
  refund.through_processor = true;
  refund.provider_refund_id = storable_text(news.provider_refund_id, 200);
  reserve(change, *payment, refund);
  conclude(change, *payment);
}

}  // namespace guildhall
