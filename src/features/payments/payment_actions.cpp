#include "features/payments/payment_actions.h"

#include "audit/audit.h"
#include "base/decimal.h"
#include "base/text.h"
#include "features/orders/order_actions.h"
#include "features/orders/order_store.h"
#include "features/payments/payment_store.h"
#include "outbox/outbox.h"

namespace guildhall {
namespace {

void write_change(Tx& tx, const Actor& actor, const Payment* before, Payment& after, Instant now) {
  after.updated_at = now;
  if (before == nullptr) {
    if (!insert_payment(tx, after)) throw WriteRace();
  } else {
    update_payment(tx, after);
  }
  audit_change(tx, after.tenant_id, actor, {"payment", after.id.text()}, before, &after, now);
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
void record_unconfirmed(const ActionContext& change, PaymentProvider provider, const PaymentReport& report,
                        AccountOwner owner) {
  const auto order = change.tx.one(order_by_id(change.tenant, OrderId(report.order_id)));
  const bool duplicate = order && counts_as_paid(order->status);
  Payment payment = new_payment(change.tenant, duplicate ? &*order : nullptr, provider, change.now);
  payment.provider_payment_id = report.provider_payment_id;
  payment.confirmed.value = false;
  payment.opened_with.value = owner;
  keep_claimed_order(payment, report);
  take_money(payment, nullptr, report);
  if (duplicate) payment.attention = Attention::DUPLICATE;
  write_change(change.tx, change.actor, nullptr, payment, change.now);
}

// Applies the report to a payment that we opened, or that the API says belongs to the order.
void apply_report(const ActionContext& change, const Payment* known, Payment payment, const std::optional<Order>& order,
                  const PaymentReport& report) {
  payment.provider_payment_id = report.provider_payment_id;
  payment.checked_at.value = change.now;
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
  write_change(change.tx, change.actor, known, payment, change.now);
  if (judged.pays) move_order(change, *order, OrderStatus::PAID);
}

}  // namespace

void settle_payment(const ActionContext& change, PaymentProvider provider, const PaymentReport& report,
                    const ReportOrigin& origin) {
  const auto known = change.tx.one(payment_by_provider_id(change.tenant, provider, report.provider_payment_id));
  settle_payment(change, provider, known ? &*known : nullptr, report, origin);
}

void settle_payment(const ActionContext& change, PaymentProvider provider, const Payment* known,
                    const PaymentReport& report, const ReportOrigin& origin) {
  if (known != nullptr && known->confirmed) {
    if (!known->belongs_to(origin.owner) || !is_new(*known, report)) return;
    return apply_report(change, known, *known, change.tx.one(order_by_id(change.tenant, known->order_id)), report);
  }
  if (report.kind != PaymentReport::Kind::paid)
    return;  // for a payment that we did not open only received money counts
  if (origin.source == ReportSource::webhook) {
    if (known == nullptr) record_unconfirmed(change, provider, report, origin.owner);
    return;
  }
  const auto order = change.tx.one(order_by_id(change.tenant, OrderId(report.order_id)));
  Payment payment = known != nullptr ? *known : new_payment(change.tenant, nullptr, provider, change.now);
  payment.confirmed.value = true;
  payment.opened_with.value = origin.owner;
  if (order) attach_order(payment, *order);
  apply_report(change, known, std::move(payment), order, report);
}

Payment resolve_attention(Tx& tx, const TenantId& tenant, const Actor& actor, const PaymentId& id,
                          const std::string& note, Instant now) {
  auto payment = tx.one(payment_by_id(tenant, id));
  if (!payment) throw not_found("Payment");
  if (!payment->attention) throw bad_request("NOTHING_TO_RESOLVE", "The payment is not flagged.");
  const std::string_view flag = name_of(*payment->attention);
  payment->attention.reset();
  payment->updated_at = now;
  update_payment(tx, *payment);
  audit(tx, tenant, actor, {"payment", id.text()}, "resolved",
        json::object({{"attention", json::object({{"before", flag}, {"after", nullptr}})},
                      {"note", json::object({{"before", nullptr}, {"after", note}})}})
            .text,
        now);
  return std::move(*payment);
}

namespace {

constexpr std::chrono::minutes checkout_left_min{1};  // else the page would expire before the customer can pay

bool still_fits(const Payment& payment, const Order& order) {
  return payment.expected_cents == order.total_cents && payment.expected_currency == order.currency.code();
}

// Claims the order's live payment. Returns nothing if it cannot be used, and marks it as expired then.
std::optional<OpeningClaim> claim_live(Tx& tx, const Actor& actor, Payment& live, const Order& order,
                                       AccountOwner owner, Instant now) {
  const Payment before = live;
  if (live.status == PaymentStatus::PROCESSING) return OpeningClaim{OpeningClaim::Kind::not_payable};
  if (live.status == PaymentStatus::OPENING && live.claimed_until.value > now) {
    return OpeningClaim{OpeningClaim::Kind::wait};
  }
  if (still_fits(live, order)) {
    if (live.status == PaymentStatus::OPENING) {
      live.claimed_until.value = now + opening_lease;
      live.opened_with.value = owner;
      write_change(tx, actor, &before, live, now);
      return OpeningClaim{OpeningClaim::Kind::open, live};
    }
    const auto& expiry = live.expires_at.value;
    if (!expiry || *expiry > now + checkout_left_min) return OpeningClaim{OpeningClaim::Kind::ready, live};
  }
  live.status = PaymentStatus::EXPIRED;
  write_change(tx, actor, &before, live, now);
  return std::nullopt;
}

}  // namespace

OpeningClaim claim_opening(Tx& tx, const Actor& actor, const Order& order, PaymentProvider provider, AccountOwner owner,
                           Instant now) {
  if (order.status != OrderStatus::PENDING_PAYMENT || order.total_cents == Cents()) {
    return {OpeningClaim::Kind::not_payable};
  }
  if (auto live = tx.one(live_payment(order.tenant_id, order.id, provider))) {
    if (const auto claim = claim_live(tx, actor, *live, order, owner, now)) return *claim;
  }
  Payment payment = new_payment(order.tenant_id, &order, provider, now);
  payment.claimed_until.value = now + opening_lease;
  payment.opened_with.value = owner;
  write_change(tx, actor, nullptr, payment, now);
  return {OpeningClaim::Kind::open, payment};
}

namespace {

void queue_follow_up(const ActionContext& change, PaymentProvider provider, const OpenedPayment& opened, Instant due) {
  queue_check(change.tx, change.tenant, {provider, opened.provider_payment_id, true}, due, change.now);
}

// Applies the money of a payment that a webhook reported before the processor's answer showed that we opened it. A
// webhook that another owner's account verified does not count: the payment is only open then.
void confirm_reported_payment(const ActionContext& change, const Payment& reported, const Payment& claimed,
                              const OpenedPayment& opened, std::optional<Instant> check_at) {
  const auto order = change.tx.one(order_by_id(change.tenant, claimed.order_id));
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
    if (check_at) queue_follow_up(change, claimed.provider, opened, *check_at);
    return write_change(change.tx, change.actor, &reported, payment, change.now);
  }
  const auto currency = Currency::parse(reported.currency);
  PaymentReport report{.kind = PaymentReport::Kind::paid, .provider_payment_id = opened.provider_payment_id};
  report.currency = reported.currency;
  if (currency) report.amount = decimal_text(reported.amount_cents, *currency);
  apply_report(change, &reported, std::move(payment), order, report);
}

}  // namespace

void finish_opening(const ActionContext& change, const Payment& claimed, const OpenedPayment& opened,
                    std::optional<Instant> check_at) {
  Tx& tx = change.tx;
  const auto before = tx.one(payment_by_id(claimed.tenant_id, claimed.id));
  if (!before || before->status != PaymentStatus::OPENING) return;
  const auto reported = tx.one(payment_by_provider_id(claimed.tenant_id, claimed.provider, opened.provider_payment_id));
  Payment payment = *before;
  payment.claimed_until.value.reset();
  if (reported) {
    payment.status = PaymentStatus::EXPIRED;  // the record that the webhook created is used instead
  } else {
    payment.status = PaymentStatus::OPEN;
    payment.provider_payment_id = opened.provider_payment_id;
    payment.checkout_url.value = opened.checkout_url;
    payment.expires_at.value = opened.expires_at;
    if (check_at) queue_follow_up(change, claimed.provider, opened, *check_at);
  }
  write_change(tx, change.actor, &*before, payment, change.now);
  if (reported && (!reported->confirmed || reported->order_id.empty())) {
    confirm_reported_payment(change, *reported, claimed, opened, check_at);
  }
}

void fail_opening(Tx& tx, const Actor& actor, const Payment& claimed, const std::string& reason, bool refused,
                  Instant now) {
  const auto before = tx.one(payment_by_id(claimed.tenant_id, claimed.id));
  if (!before || before->status != PaymentStatus::OPENING) return;
  Payment payment = *before;
  payment.claimed_until.value.reset();
  payment.error.value = storable_text(reason);
  if (refused) payment.status = PaymentStatus::FAILED;
  write_change(tx, actor, &*before, payment, now);
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
