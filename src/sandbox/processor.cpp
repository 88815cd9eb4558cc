#include "sandbox/processor.h"

#include "base/failure.h"
#include "sandbox/demo_payment.h"
#include "sandbox/world.h"

namespace guildhall::sandbox {
namespace {

using enum PaymentStatus;

}  // namespace

std::vector<std::string_view> Processor::actions(const Payment& payment) const {
  std::vector<std::string_view> allowed;
  if (payment.status == OPEN || payment.status == PARTLY_PAID) {
    allowed = {"pay", "payPart", "overpay", "expire"};
    if (takes_late_payments()) allowed.push_back("payLate");
  }
  if (payment.status == OPEN && sees_money_first()) allowed.push_back("see");
  if (payment.status == SEEN) allowed = {"pay"};
  if (payment.status == EXPIRED && takes_late_payments()) allowed = {"payLate"};
  if (payment.status == PAID && returns_money()) allowed = {"refund", "dispute"};
  if (!payment.refunds.empty() && !payment.refunds.back().disputed) {
    const RefundStatus last = payment.refunds.back().status;
    if (last == RefundStatus::PENDING) allowed.push_back("completeRefund");
    if (last != RefundStatus::FAILED) allowed.push_back("failRefund");
  }
  return allowed;
}

std::vector<Webhook> Processor::act(Payment& payment, std::string_view action, std::optional<Cents> amount) {
  require_action(actions(payment), action, name_of(payment.status));
  const Cents due = payment.amount - payment.paid;
  const auto append = [](std::vector<json::Value>& all, std::vector<json::Value> more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  std::vector<json::Value> events;
  if (action == "refund" || action == "dispute") {
    append(events, return_money(payment, amount, action == "dispute"));
  } else if (action == "completeRefund" || action == "failRefund") {
    append(events, end_refund(payment, action == "failRefund" ? RefundStatus::FAILED : RefundStatus::COMPLETED));
  } else if (action == "expire" || (action == "payLate" && payment.status != EXPIRED)) {
    payment.status = EXPIRED;
    append(events, expired_events(payment));
  }
  if (action == "payLate") payment.late = true;
  if (action == "see") append(events, see(payment));
  if (action == "pay" || action == "payLate") append(events, receive(payment, amount.value_or(due)));
  if (action == "payPart") append(events, receive(payment, amount.value_or(Cents((due.value() + 1) / 2))));
  if (action == "overpay") append(events, receive(payment, amount.value_or(due + Cents(due.value() / 2 + 1))));
  world.touch();
  std::vector<Webhook> webhooks;
  for (const json::Value& event : events) webhooks.push_back(webhook(payment, event));
  return webhooks;
}

std::vector<json::Value> Processor::return_money(Payment& payment, std::optional<Cents> amount, bool disputed) {
  Refund* made = refund(payment, amount.value_or(payment.paid - payment.refunded), "", new_refund_id());
  if (made == nullptr) throw bad_request("AMOUNT_TOO_LARGE", "There is not that much to return.");
  made->disputed = disputed;
  made->status = RefundStatus::COMPLETED;
  if (disputed) payment.status = DISPUTED;
  return refunded_events(payment, *made);
}

// Completes the last refund, or takes it back.
std::vector<json::Value> Processor::end_refund(Payment& payment, RefundStatus status) {
  Refund& last = payment.refunds.back();
  last.status = status;
  if (status == RefundStatus::FAILED) {
    payment.refunded -= last.amount;
    payment.status = PAID;
  }
  return refunded_events(payment, last);
}

std::vector<Webhook> Processor::expire_overdue() {
  std::vector<Webhook> webhooks;
  for (Payment& payment : payments_) {
    const bool open = payment.status == OPEN || payment.status == PARTLY_PAID;
    if (!open || !payment.expires_at || now() < *payment.expires_at) continue;
    for (Webhook& webhook : act(payment, "expire", std::nullopt)) webhooks.push_back(std::move(webhook));
  }
  return webhooks;
}

std::vector<json::Value> Processor::see(Payment& payment) {
  payment.status = SEEN;
  return seen_events(payment);
}

std::vector<json::Value> Processor::receive(Payment& payment, Cents amount) {
  payment.paid += amount;
  payment.status = payment.paid < payment.amount && collects_parts() ? PARTLY_PAID : PAID;
  return paid_events(payment);
}

Payment* Processor::find(std::string_view id) {
  const auto found = std::ranges::find_if(payments_, [&](const Payment& payment) { return payment.id == id; });
  return found == payments_.end() ? nullptr : &*found;
}

Payment* Processor::recall(std::string_view id) {
  if (Payment* known = find(id)) return known;
  auto payment = demo_payment(id);
  return payment ? &add(std::move(*payment)) : nullptr;
}

Payment& Processor::add(Payment payment) {
  if (payments_.size() >= payments_max) payments_.pop_front();
  payment.created_at = now();
  world.touch();
  return payments_.emplace_back(std::move(payment));
}

Payment* Processor::find_by_key(std::string_view key) {
  const auto found = std::ranges::find_if(payments_, [&](const Payment& payment) { return payment.key == key; });
  return key.empty() || found == payments_.end() ? nullptr : &*found;
}

Payment* Processor::recall_by_transaction(std::string_view transaction) {
  const auto found =
      std::ranges::find_if(payments_, [&](const Payment& payment) { return payment.transaction == transaction; });
  if (found != payments_.end() && !transaction.empty()) return &*found;
  return recall(transaction);
}

Payment* Processor::find_by_refund(std::string_view id) {
  const auto found = std::ranges::find_if(payments_, [&](const Payment& payment) {
    return std::ranges::any_of(payment.refunds, [&](const Refund& refund) { return refund.id == id; });
  });
  return found == payments_.end() ? nullptr : &*found;
}

Refund* Processor::refund(Payment& payment, Cents amount, const std::string& key, std::string id) {
  const auto same = std::ranges::find_if(payment.refunds, [&](const Refund& made) { return made.key == key; });
  if (!key.empty() && same != payment.refunds.end()) return &*same;
  if (amount.value() < 1 || payment.paid < payment.refunded + amount) return nullptr;
  payment.refunded += amount;
  if (payment.refunded == payment.paid) payment.status = REFUNDED;
  world.touch();
  const RefundStatus status = world.refunds_wait ? RefundStatus::PENDING : RefundStatus::COMPLETED;
  return &payment.refunds.emplace_back(Refund{std::move(id), key, amount, status});
}

json::Value Processor::newest(const std::function<json::Value(const Payment&)>& shown) const {
  constexpr std::size_t listed_max = 25;
  return json::verbatim(json::write_array([&](json::ArrayWriter& list) {
    const std::size_t count = std::min(payments_.size(), listed_max);
    for (std::size_t i = 1; i <= count; ++i) list.add(shown(payments_[payments_.size() - i]));
  }));
}

std::string Processor::checkout_url(const Payment& payment) const {
  return world.url("/checkout/" + payment.id);
}

std::string Processor::webhook_path(const Payment& payment) const {
  return fmt::format("/api/payments/{}/webhook/{}", webhook_name_,
                     payment.tenant.empty() ? world.options.tenant : payment.tenant);
}

Webhook Processor::webhook(const Payment& payment, const json::Value& body) const {
  return {*this, webhook_path(payment), body.text};
}

std::vector<std::unique_ptr<Processor>> all_processors(World& world) {
  std::vector<std::unique_ptr<Processor>> all;
  all.push_back(make_gateway(world));
  all.push_back(make_commerce(world));
  all.push_back(make_wallet(world));
  all.push_back(make_card(world));
  return all;
}

std::string order_number_in(std::string_view description) {
  constexpr std::string_view before = "Order ";
  if (description.starts_with(before)) description.remove_prefix(before.size());
  return std::string(description);
}

}  // namespace guildhall::sandbox
