#include "features/payments/refunds/refund_actions.h"

#include "base/decimal.h"
#include "base/text.h"
#include "features/fund/fund_actions.h"
#include "features/orders/order_actions.h"
#include "features/orders/order_store.h"
#include "features/orders/order_timeline.h"
#include "features/payments/payment_store.h"
#include "features/payments/processors/processor_list.h"
#include "features/payments/refunds/refund_events.h"
#include "features/payments/refunds/refund_store.h"
#include "outbox/outbox.h"

namespace guildhall {
namespace {

constexpr std::chrono::seconds carried_out_by_outbox_after{30};

void change_payment(const ActionContext& context, Payment& payment, FunctionRef<void(Payment&)> edit) {
  const Payment before = payment;
  edit(payment);
  payment.updated_at = context.now;
  update_payment(context.tx, payment);
  context.audit_change({"payment", payment.id.text()}, &before, &payment);
}

// Creates a payment for an order that was marked as paid by hand, so that it can be refunded.
Payment manual_payment(const ActionContext& context, const Order& order) {
  const std::string currency(order.currency.code());
  const Payment payment{.id = PaymentId::make(context.now),
                        .tenant_id = {context.tenant},
                        .order_id = order.id,
                        .provider = manual_provider,
                        .provider_payment_id = order.id.text(),
                        .status = PaymentStatus::PAID,
                        .amount_cents = order.total_cents,
                        .currency = currency,
                        .expected_cents = order.total_cents,
                        .expected_currency = currency,
                        .created_at = context.now,
                        .updated_at = context.now,
                        .version = {1}};
  if (!insert_payment(context.tx, payment)) throw WriteRace();
  context.audit_created({"payment", payment.id.text()}, payment);
  return payment;
}

// Unconfirmed payments do not count: they are returned by hand.
std::vector<Payment> payments_with_money(const ActionContext& context, const OrderId& order) {
  auto payments = context.tx.all(payments_of_order(context.tenant, order));
  std::erase_if(payments, [](const Payment& payment) { return !payment.confirmed || !has_money(payment.status); });
  return payments;
}

// The payments to refund. Creates a payment of the total for an order that was marked as paid by hand.
// Throws REFUND_NOT_POSSIBLE.
std::vector<Payment> refundable_payments(const ActionContext& context, const Order& order) {
  auto payments = payments_with_money(context, order.id);
  const bool nothing_left = std::all_of(payments.begin(), payments.end(),
                                        [](const Payment& payment) { return refundable_amount(payment) == Cents(); });
  if (nothing_left && !context.tx.all(unconfirmed_payments(context.tenant, order.id)).empty()) {
    throw refund_not_possible("The payment is known from a webhook alone.");
  }
  if (payments.empty() && counts_as_paid(order.status)) payments.push_back(manual_payment(context, order));
  return payments;
}

void flag(const ActionContext& context, Payment& payment, Attention attention) {
  change_payment(context, payment, [&](Payment& flagged) { flagged.attention = attention; });
}

// Whether a payment that was too much holds no more than was asked for.
bool excess_is_returned(const Payment& payment) {
  return payment.attention == Attention::OVERPAID && refundable_amount(payment) <= payment.expected_cents;
}

// Marks the payment as REFUNDED if nothing of it is left, and its order if that is so for all of its payments. Removes
// the flag of an overpayment whose excess is returned.
void mark_refunded_if_complete(const ActionContext& context, Payment& payment, RefundCause cause) {
  for (const Refund& other : context.tx.all(refunds_of_payment(context.tenant, payment.id))) {
    if (other.status == RefundStatus::PENDING) return;
  }
  if (refundable_amount(payment) > Cents()) {
    if (!excess_is_returned(payment)) return;
    return change_payment(context, payment, [](Payment& returned) { returned.attention.reset(); });
  }
  change_payment(context, payment, [](Payment& returned) {
    returned.status = PaymentStatus::REFUNDED;
    returned.attention.reset();
  });
  if (!payment.confirmed) return;  // an unconfirmed payment never paid the order
  lock_payments(context.tx, context.tenant, payment.order_id);
  const auto all = payments_with_money(context, payment.order_id);
  const bool all_returned =
      std::all_of(all.begin(), all.end(), [](const Payment& each) { return each.status == PaymentStatus::REFUNDED; });
  const auto order = context.tx.one(order_by_id(context.tenant, payment.order_id));
  if (!all_returned || !order || !counts_as_paid(order->status)) return;
  refund_order(context, *order, cause);
  if (contribution_left(context.tx, context.tenant, order->id) > Cents()) flag(context, payment, Attention::FUND_SHORT);
}

// Whether the processor returns this amount through its API.
bool can_return(const Payment& payment, Cents amount) {
  if (payment.provider == manual_provider) return false;
  const RefundSupport refunds = descriptor_of(payment.provider).refunds;
  return refunds == RefundSupport::any_amount ||
         (refunds == RefundSupport::whole_payment && amount == payment.amount_cents);
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

// Adds the refund's new status to the history of its order.
void record_on_order(const ActionContext& context, const Refund& refund) {
  if (refund.order_id.empty()) return;
  record_refund(context, refund.order_id,
                {.refund_id = refund.id.text(),
                 .amount_cents = refund.amount_cents,
                 .currency = refund.currency,
                 .status = std::string(name_of(refund.status)),
                 .through_processor = refund.through_processor,
                 .reason = refund.reason,
                 .error = refund.error});
}

// Emits the events of the state that a refund has reached. `before` is null for a new one.
void emit_states(const ActionContext& context, const Refund* before, const Refund& after) {
  if (before == nullptr) context.emit(RefundCreated{after});
  if (before != nullptr && before->status == after.status) return;
  if (after.status == RefundStatus::DONE) context.emit(RefundCompleted{after});
  if (after.status == RefundStatus::FAILED) context.emit(RefundFailed{after});
}

// Reserves the amount on the payment. The payment's version guards against a concurrent reservation.
void reserve(const ActionContext& context, Payment& payment, const Refund& refund) {
  change_payment(context, payment, [&](Payment& reserved) { reserved.refunded_cents += refund.amount_cents; });
  insert_refund(context.tx, refund);
  context.audit_created({"refund", refund.id.text()}, refund);
  record_on_order(context, refund);
  context.emit(RefundChanged{nullptr, refund});
  emit_states(context, nullptr, refund);
}

void mark(const ActionContext& context, Refund& refund, FunctionRef<void(Refund&)> edit) {
  const Refund before = refund;
  edit(refund);
  refund.updated_at = context.now;
  update_refund(context.tx, refund);
  context.audit_change({"refund", refund.id.text()}, &before, &refund);
  context.emit(RefundChanged{&before, refund});
  emit_states(context, &before, refund);
}

void mark_done(const ActionContext& context, Refund& refund, const std::string& provider_refund_id, RefundCause cause) {
  mark(context, refund, [&](Refund& done) {
    done.status = RefundStatus::DONE;
    done.error.reset();
    if (!provider_refund_id.empty()) done.provider_refund_id = storable_text(provider_refund_id, 200);
  });
  record_on_order(context, refund);
  auto payment = context.tx.one(payment_by_id(context.tenant, refund.payment_id));
  if (payment) mark_refunded_if_complete(context, *payment, cause);
}

// The amount can be refunded again. An order that is REFUNDED stays REFUNDED.
void mark_failed(const ActionContext& context, Refund& refund, const std::string& reason, OnFailure on_failure) {
  mark(context, refund, [&](Refund& failed) {
    failed.status = RefundStatus::FAILED;
    failed.error = storable_text(reason);
  });
  record_on_order(context, refund);
  auto payment = context.tx.one(payment_by_id(context.tenant, refund.payment_id));
  if (!payment) return;
  change_payment(context, *payment, [&](Payment& held) {
    held.refunded_cents -= refund.amount_cents;
    held.status = PaymentStatus::PAID;
    if (on_failure == OnFailure::flag_payment) held.attention = Attention::REFUND_FAILED;
  });
}

// Applies a processor's report to a refund that we have recorded.
void apply_to_known_refund(const ActionContext& context, Refund& refund, bool failed) {
  if (refund.status == RefundStatus::FAILED) return;
  if (failed) return mark_failed(context, refund, "the processor could not return the money", OnFailure::flag_payment);
  if (refund.status == RefundStatus::PENDING) mark_done(context, refund, "", RefundCause::reported);
}

// Records a refund that the processor made without our request.
void record_foreign_refund(const ActionContext& context, Payment& payment, Cents amount, const std::string& id) {
  if (refundable_amount(payment) == Cents()) return;
  Refund refund = new_refund(payment, std::min(amount, refundable_amount(payment)), context.now);
  refund.status = RefundStatus::DONE;
  refund.through_processor = true;
  refund.provider_refund_id = storable_text(id, 200);
  reserve(context, payment, refund);
  mark_refunded_if_complete(context, payment, RefundCause::reported);
}

// A paid order without payments was paid by hand, so the shop also returns the money by hand when it cancels the order
// or marks it as refunded. Only then is nothing else known about the money.
void record_return_by_hand(const ActionContext& context, const Order& order) {
  if (!order.paid_at || order.total_cents == Cents()) return;
  if (!payments_with_money(context, order.id).empty()) return;
  if (!context.tx.all(unconfirmed_payments(context.tenant, order.id)).empty()) return;
  Payment payment = manual_payment(context, order);
  Refund refund = new_refund(payment, order.total_cents, context.now);
  refund.status = RefundStatus::DONE;
  reserve(context, payment, refund);
  change_payment(context, payment, [](Payment& returned) { returned.status = PaymentStatus::REFUNDED; });
}

}  // namespace

void subscribe_refunds(Events& events) {
  events.subscribe<CurrencyChangeRequested>([](const ActionContext& context, const CurrencyChangeRequested& event) {
    if (!context.tx.all(payments_of_order(context.tenant, event.order.id)).empty()) throw order_has_payments();
  });
  events.subscribe<OrderCancelled>(
      [](const ActionContext& context, const OrderCancelled& event) { record_return_by_hand(context, event.order); });
  events.subscribe<OrderRefunded>(
      [](const ActionContext& context, const OrderRefunded& event) { record_return_by_hand(context, event.order); });
}

void queue_refund(Tx& tx, const Refund& refund, PaymentProvider provider, Instant due, Instant now) {
  outbox::append(tx,
                 {.tenant = refund.tenant_id,
                  .topic = std::string(refund_topic),
                  .payload = to_json(RefundMessage{refund.id}),
                  .due = due,
                  .receiver = std::string(name_of(provider))},
                 now);
}

std::vector<Refund> begin_refunds(const ActionContext& context, const OrderId& order_id, const RefundInput& input) {
  const auto order = context.tx.one(order_by_id(context.tenant, order_id));
  if (!order) throw not_found("Order");
  auto payments = refundable_payments(context, *order);
  if (input.payment_id) {
    std::erase_if(payments, [&](const Payment& payment) { return payment.id.text() != input.payment_id->value; });
  }
  std::optional<Cents> amount;
  if (input.amount_cents) amount = Cents(*input.amount_cents);

  std::vector<Refund> refunds;
  for (const RefundShare& share : split_refund(payments, amount, order->currency.code())) {
    Payment& payment = payments[share.payment];
    Refund refund = new_refund(payment, share.amount, context.now);
    refund.reason = input.reason ? std::optional(input.reason->value) : std::nullopt;
    refund.through_processor = can_return(payment, refund.amount_cents);
    refund.status = refund.through_processor ? RefundStatus::PENDING : RefundStatus::DONE;
    reserve(context, payment, refund);
    if (refund.through_processor) {
      queue_refund(context.tx, refund, payment.provider, context.now + carried_out_by_outbox_after, context.now);
    } else {
      mark_refunded_if_complete(context, payment, RefundCause::requested);
    }
    refunds.push_back(std::move(refund));
  }
  return refunds;
}

void await_refund(const ActionContext& context, const RefundId& id, const std::string& provider_refund_id) {
  auto refund = context.tx.one(refund_by_id(context.tenant, id));
  if (!refund || refund->status != RefundStatus::PENDING || refund->provider_refund_id) return;
  mark(context, *refund, [&](Refund& asked) { asked.provider_refund_id = storable_text(provider_refund_id, 200); });
}

void finish_refund(const ActionContext& context, const RefundId& id, const std::string& provider_refund_id,
                   RefundCause cause) {
  auto refund = context.tx.one(refund_by_id(context.tenant, id));
  if (!refund || refund->status != RefundStatus::PENDING) return;
  mark_done(context, *refund, provider_refund_id, cause);
}

void fail_refund(const ActionContext& context, const RefundId& id, const std::string& reason, OnFailure on_failure) {
  auto refund = context.tx.one(refund_by_id(context.tenant, id));
  if (!refund || refund->status != RefundStatus::PENDING) return;
  mark_failed(context, *refund, reason, on_failure);
}

void apply_refund_report(const ActionContext& context, PaymentProvider provider, const RefundReport& report,
                         AccountOwner owner) {
  auto payment = context.tx.one(payment_by_reference(context.tenant, provider, report.reference));
  if (payment && !payment->belongs_to(owner)) return;
  const auto currency = Currency::parse(report.currency);
  if (!payment || !currency || report.currency != payment->currency || !has_money(payment->status)) return;
  const auto amount = parse_decimal(report.amount, *currency);
  if (!amount || *amount == Cents()) return;
  auto refunds = context.tx.all(refunds_of_payment(context.tenant, payment->id));
  for (Refund& known : refunds) {
    if (known.provider_refund_id == report.provider_refund_id)
      return apply_to_known_refund(context, known, report.failed);
  }
  if (report.failed)
    return;  // one of ours whose provider_refund_id is not known yet: the answer to our request will report it
  for (Refund& ours : refunds) {  // the report may arrive before the answer to our request
    const bool unanswered = ours.status == RefundStatus::PENDING && !ours.provider_refund_id;
    if (unanswered && ours.amount_cents == *amount)
      return mark_done(context, ours, report.provider_refund_id, RefundCause::reported);
  }
  record_foreign_refund(context, *payment, *amount, report.provider_refund_id);
}

}  // namespace guildhall
