#include "features/payments/payment_actions.h"

#include "base/decimal.h"
#include "base/text.h"
#include "features/orders/order_actions.h"
#include "features/orders/order_store.h"
#include "features/payments/payment_events.h"
#include "features/payments/payment_store.h"
#include "outbox/outbox.h"

namespace guildhall {
namespace {

void write_change(const ActionContext& context, const Payment* before, Payment& after) {
  after.updated_at = context.now;
  if (before == nullptr) {
    if (!insert_payment(context.tx, after)) throw WriteRace();
  } else {
    update_payment(context.tx, after);
  }
  context.audit_change({"payment", after.id.text()}, before, &after);
  context.emit(PaymentChanged{before, after});
}

void attach_order(Payment& payment, const Order& order) {
  payment.order_id = order.id;
  payment.expected_cents = order.total_cents;
  payment.expected_currency = std::string(order.currency.code());
}

Payment new_payment(const TenantId& tenant, const Order* order, PaymentProvider provider, Instant now) {
  Payment payment{.id = PaymentId::make(now), .tenant_id = {tenant}, .provider = provider};
  if (order != nullptr) {
    attach_order(payment, *order);
    payment.amount_cents = payment.expected_cents;
    payment.currency = payment.expected_currency;
  }
  payment.created_at = payment.updated_at = now;
  payment.version = {1};
  return payment;
}

// The amount that the report says was received; nothing if the amount or the currency is unknown.
std::optional<Cents> received(const PaymentReport& report) {
  const auto currency = Currency::parse(report.currency);
  return report.amount && currency ? parse_decimal(*report.amount, *currency) : std::nullopt;
}

// Whether more money was received for a payment that was too small.
bool has_grown(const Payment& payment, const PaymentReport& report) {
  return payment.status == PaymentStatus::PAID && payment.attention == Attention::UNDERPAID &&
         received(report) > payment.amount_cents;
}

// Whether the report changes the payment.
bool is_new(const Payment& payment, const PaymentReport& report) {
  switch (report.kind) {
    case PaymentReport::Kind::waiting:
      return false;
    case PaymentReport::Kind::processing:
      return payment.status == PaymentStatus::OPENING || payment.status == PaymentStatus::OPEN;
    case PaymentReport::Kind::expired:
    case PaymentReport::Kind::failed:
      return is_live(payment.status);
    case PaymentReport::Kind::paid:
      return !has_money(payment.status) || has_grown(payment, report);
  }
  return false;
}

Judgement take_money(Payment& payment, const Order* order, const PaymentReport& report) {
  std::optional<Owed> owed;
  if (order != nullptr) owed = Owed{order->status, order->total_cents, order->currency};
  const bool was_over = payment.status == PaymentStatus::EXPIRED || payment.status == PaymentStatus::FAILED;
  const Judgement judged = judge(owed ? &*owed : nullptr, received(report), report.currency, report.hint, was_over);
  payment.status = PaymentStatus::PAID;
  payment.amount_cents = received(report).value_or(Cents());
  payment.currency = storable_text(report.currency, 20);
  payment.attention = judged.attention;
  if (!report.reference.empty()) payment.provider_reference.value = report.reference;
  return judged;
}

void keep_claimed_order(Payment& payment, const PaymentReport& report) {
  if (!report.order_id.empty()) payment.claimed_order_id = storable_text(report.order_id, 255);
}

// Records money for a payment that we did not open, as a webhook reports it. Anybody who knows the webhook's secret can
// sign that, so it does not pay the order and is never refunded through the API.
void record_unconfirmed(const ActionContext& context, PaymentProvider provider, const PaymentReport& report,
                        AccountOwner owner) {
  const auto order = context.tx.one(order_by_id(context.tenant, OrderId(report.order_id)));
  const bool duplicate = order && counts_as_paid(order->status);
  Payment payment = new_payment(context.tenant, duplicate ? &*order : nullptr, provider, context.now);
  payment.provider_payment_id = report.provider_payment_id;
  payment.confirmed.value = false;
  payment.opened_with.value = owner;
  keep_claimed_order(payment, report);
  take_money(payment, nullptr, report);
  if (duplicate) payment.attention = Attention::DUPLICATE;
  write_change(context, nullptr, payment);
}

// Applies the report to a payment that we opened, or that the API says belongs to the order.
void apply_report(const ActionContext& context, const Payment* known, Payment payment,
                  const std::optional<Order>& order, const PaymentReport& report) {
  payment.provider_payment_id = report.provider_payment_id;
  payment.checked_at.value = context.now;
  keep_claimed_order(payment, report);
  Judgement judged;
  if (report.kind == PaymentReport::Kind::paid) {
    judged = take_money(payment, order ? &*order : nullptr, report);
  } else if (report.kind == PaymentReport::Kind::processing) {
    payment.status = PaymentStatus::PROCESSING;
  } else {
    payment.status = report.kind == PaymentReport::Kind::expired ? PaymentStatus::EXPIRED : PaymentStatus::FAILED;
    if (report.hint) payment.attention = report.hint;  // some money was received
  }
  write_change(context, known, payment);
  if (judged.pays) move_order(context, *order, OrderStatus::PAID);
}

}  // namespace

void settle_payment(const ActionContext& context, PaymentProvider provider, const PaymentReport& report,
                    const ReportOrigin& origin) {
  if (!report.order_id.empty()) context.tx.read_ahead(order_by_id(context.tenant, OrderId(report.order_id)).query);
  const auto known = context.tx.one(payment_by_provider_id(context.tenant, provider, report.provider_payment_id));
  settle_payment(context, provider, known ? &*known : nullptr, report, origin);
}

void settle_payment(const ActionContext& context, PaymentProvider provider, const Payment* known,
                    const PaymentReport& report, const ReportOrigin& origin) {
  if (known != nullptr && known->confirmed) {
    if (!known->belongs_to(origin.owner) || !is_new(*known, report)) return;
    return apply_report(context, known, *known, context.tx.one(order_by_id(context.tenant, known->order_id)), report);
  }
  if (report.kind != PaymentReport::Kind::paid)
    return;  // for a payment that we did not open only received money counts
  if (origin.source == ReportSource::webhook) {
    if (known == nullptr) record_unconfirmed(context, provider, report, origin.owner);
    return;
  }
  const auto order = context.tx.one(order_by_id(context.tenant, OrderId(report.order_id)));
  Payment payment = known != nullptr ? *known : new_payment(context.tenant, nullptr, provider, context.now);
  payment.confirmed.value = true;
  payment.opened_with.value = origin.owner;
  if (order) attach_order(payment, *order);
  apply_report(context, known, std::move(payment), order, report);
}

Payment resolve_attention(const ActionContext& context, const PaymentId& id, const std::string& note) {
  auto payment = context.tx.one(payment_by_id(context.tenant, id));
  if (!payment) throw not_found("Payment");
  if (!payment->attention) throw bad_request("NOTHING_TO_RESOLVE", "The payment is not flagged.");
  const std::string_view flag = name_of(*payment->attention);
  payment->attention.reset();
  payment->updated_at = context.now;
  update_payment(context.tx, *payment);
  context.audit({"payment", id.text()}, "resolved",
                json::object({{"attention", json::object({{"before", flag}, {"after", nullptr}})},
                              {"note", json::object({{"before", nullptr}, {"after", note}})}})
                    .text);
  return std::move(*payment);
}

namespace {

constexpr std::chrono::minutes checkout_left_min{1};  // else the page would expire before the customer can pay

bool still_fits(const Payment& payment, const Order& order) {
  return payment.expected_cents == order.total_cents && payment.expected_currency == order.currency.code();
}

// Claims the order's live payment. Returns nothing if it cannot be used, and marks it as expired then.
std::optional<OpeningClaim> claim_live(const ActionContext& context, Payment& live, const Order& order,
                                       AccountOwner owner) {
  const Payment before = live;
  if (live.status == PaymentStatus::PROCESSING) return OpeningClaim{OpeningClaim::Kind::not_payable};
  if (live.status == PaymentStatus::OPENING && live.claimed_until.value > context.now) {
    return OpeningClaim{OpeningClaim::Kind::wait};
  }
  if (still_fits(live, order)) {
    if (live.status == PaymentStatus::OPENING) {
      live.claimed_until.value = context.now + opening_lease;
      live.opened_with.value = owner;
      write_change(context, &before, live);
      return OpeningClaim{OpeningClaim::Kind::open, live};
    }
    const auto& expiry = live.expires_at.value;
    if (!expiry || *expiry > context.now + checkout_left_min) return OpeningClaim{OpeningClaim::Kind::ready, live};
  }
  live.status = PaymentStatus::EXPIRED;
  write_change(context, &before, live);
  return std::nullopt;
}

}  // namespace

OpeningClaim claim_opening(const ActionContext& context, const Order& order, PaymentProvider provider,
                           AccountOwner owner) {
  if (order.status != OrderStatus::PENDING_PAYMENT || order.total_cents == Cents()) {
    return {OpeningClaim::Kind::not_payable};
  }
  if (auto live = context.tx.one(live_payment(context.tenant, order.id, provider))) {
    if (const auto claim = claim_live(context, *live, order, owner)) return *claim;
  }
  Payment payment = new_payment(context.tenant, &order, provider, context.now);
  payment.claimed_until.value = context.now + opening_lease;
  payment.opened_with.value = owner;
  write_change(context, nullptr, payment);
  return {OpeningClaim::Kind::open, payment};
}

namespace {

void queue_follow_up(const ActionContext& context, PaymentProvider provider, const OpenedPayment& opened, Instant due) {
  queue_check(context.tx, context.tenant, {provider, opened.provider_payment_id, true}, due, context.now);
}

// Applies the money of a payment that a webhook reported before the processor's answer showed that we opened it. A
// webhook that another owner's account verified does not count: the payment is only open then.
void confirm_reported_payment(const ActionContext& context, const Payment& reported, const Payment& claimed,
                              const OpenedPayment& opened, std::optional<Instant> check_at) {
  const auto order = context.tx.one(order_by_id(context.tenant, claimed.order_id));
  Payment payment = reported;
  payment.confirmed.value = true;
  payment.checkout_url.value = opened.checkout_url;
  payment.opened_with = claimed.opened_with;
  if (order) attach_order(payment, *order);
  if (claimed.opened_with.value && !reported.belongs_to(*claimed.opened_with.value)) {
    payment.status = PaymentStatus::OPEN;
    payment.amount_cents = claimed.amount_cents;
    payment.currency = claimed.currency;
    payment.attention.reset();
    payment.provider_reference.value.reset();
    payment.expires_at.value = opened.expires_at;
    if (check_at) queue_follow_up(context, claimed.provider, opened, *check_at);
    return write_change(context, &reported, payment);
  }
  const auto currency = Currency::parse(reported.currency);
  PaymentReport report{.kind = PaymentReport::Kind::paid, .provider_payment_id = opened.provider_payment_id};
  report.currency = reported.currency;
  if (currency) report.amount = decimal_text(reported.amount_cents, *currency);
  apply_report(context, &reported, std::move(payment), order, report);
}

}  // namespace

void finish_opening(const ActionContext& context, const Payment& claimed, const OpenedPayment& opened,
                    std::optional<Instant> check_at) {
  const auto before = context.tx.one(payment_by_id(context.tenant, claimed.id));
  if (!before || before->status != PaymentStatus::OPENING) return;
  const auto reported =
      context.tx.one(payment_by_provider_id(context.tenant, claimed.provider, opened.provider_payment_id));
  Payment payment = *before;
  payment.claimed_until.value.reset();
  if (reported) {
    payment.status = PaymentStatus::EXPIRED;  // the record that the webhook created is used instead
  } else {
    payment.status = PaymentStatus::OPEN;
    payment.provider_payment_id = opened.provider_payment_id;
    payment.checkout_url.value = opened.checkout_url;
    payment.expires_at.value = opened.expires_at;
    if (check_at) queue_follow_up(context, claimed.provider, opened, *check_at);
  }
  write_change(context, &*before, payment);
  if (reported && (!reported->confirmed || reported->order_id.empty())) {
    confirm_reported_payment(context, *reported, claimed, opened, check_at);
  }
}

void fail_opening(const ActionContext& context, const Payment& claimed, const std::string& reason, bool refused) {
  const auto before = context.tx.one(payment_by_id(context.tenant, claimed.id));
  if (!before || before->status != PaymentStatus::OPENING) return;
  Payment payment = *before;
  payment.claimed_until.value.reset();
  payment.error.value = storable_text(reason);
  if (refused) payment.status = PaymentStatus::FAILED;
  write_change(context, &*before, payment);
}

void queue_check(Tx& tx, const TenantId& tenant, const CheckMessage& message, Instant due, Instant now) {
  outbox::append(tx,
                 {.tenant = tenant,
                  .topic = std::string(payment_check_topic),
                  .payload = to_json(message),
                  .due = due,
                  .receiver = std::string(name_of(message.provider))},
                 now);
}

}  // namespace guildhall
