#include "features/memberships/membership.h"

#include <algorithm>

namespace guildhall {
namespace {

using enum MembershipStatus;

constexpr std::int64_t periods_at_once_max = 10'000;

std::optional<Instant> last_cancellation(const std::vector<MembershipChange>& changes) {
  std::optional<Instant> at;
  for (const MembershipChange& change : changes) {
    if (change.kind == MembershipChangeKind::CANCELLED) at = change.at;
  }
  return at;
}

// The last period of the plan that was not refunded, or else one that was. A gift of another plan is not one of them.
const MembershipPeriod* last_of_plan(const std::vector<MembershipPeriod>& periods, const ProductId& plan) {
  const auto rank = [](const MembershipPeriod& period) {
    return std::tuple(!period.refunded_at, period.paid_at, period.id.text());
  };
  const MembershipPeriod* last = nullptr;
  for (const MembershipPeriod& period : periods) {
    if (period.product_id != plan) continue;
    if (last == nullptr || rank(*last) < rank(period)) last = &period;
  }
  return last;
}

// Nothing was ever paid for it, so it has no time.
void end_without_periods(Membership& membership, Instant now) {
  membership.expires_at = std::min(membership.expires_at, now);
  membership.grace_ends_at = membership.expires_at;
  membership.paused_at.reset();
  membership.last_period_id.value = MembershipPeriodId();
  membership.monthly_cents.value = 0;
  membership.status = ENDED;
}

}  // namespace

std::string group_key_of(const Product& product) {
  const auto& group = product.membership->group;
  if (!group) return "product/" + product.id.text();
  return fmt::format("group/{}/{}", product.currency.code(), group->value);
}

std::int64_t monthly_cents_of(const MembershipPeriod& period) {
  constexpr std::int64_t year_ten_thousandths = 3'652'425;  // of a day
  constexpr std::int64_t monthly_max = 1'000'000'000'000;   // so that a sum of many fits
  if (period.kind == PeriodKind::TRIAL) return 0;
  const __int128 price = period.list_cents.value;
  if (period.list_months > 0)
    return static_cast<std::int64_t>(std::min<__int128>(price / period.list_months, monthly_max));
  const __int128 days = std::max<std::int64_t>(period.list_days, 1);
  return static_cast<std::int64_t>(std::min<__int128>(price * year_ten_thousandths / (days * 120'000), monthly_max));
}

PeriodLength length_of(const MembershipTerms& terms, std::int64_t count) {
  const std::int64_t periods = std::min(count, periods_at_once_max);
  return {.months = terms.period_months ? terms.period_months->value * periods : 0,
          .days = terms.period_days ? terms.period_days->value * periods : 0};
}

void set_times(Membership& membership, const std::vector<MembershipPeriod>& periods, Instant now) {
  const auto time = time_of(periods, membership.changes);
  if (!time) return end_without_periods(membership, now);
  membership.product_id = time->plan;
  membership.started_at = time->starts_at;
  membership.expires_at = time->ends_at;
  membership.grace_ends_at = time->grace_ends_at();
  membership.paused_at = time->paused_from;
  membership.cancelled_at = time->is_cancelled ? last_cancellation(membership.changes) : std::nullopt;
  membership.last_period_id.value = time->last_period;
  if (const MembershipPeriod* last = last_of_plan(periods, membership.product_id)) {
    membership.currency.value = last->currency;
    membership.monthly_cents.value = monthly_cents_of(*last);
    membership.is_trial = last->kind == PeriodKind::TRIAL && last->id == membership.last_period_id.value;
  }
  membership.status = time->paused_from ? PAUSED : now < membership.grace_ends_at ? ACTIVE : ENDED;
}

std::vector<std::int64_t> reminders_due(const Membership& membership, Instant paid_at, Instant now) {
  std::vector<std::int64_t> due;
  if (membership.status != ACTIVE || membership.cancelled_at || now >= membership.expires_at) return due;
  for (const std::int64_t day : membership.reminder_days.value) {
    const Instant at = membership.expires_at - std::chrono::days(day);
    if (at > paid_at && at <= now) due.push_back(day);
  }
  std::sort(due.begin(), due.end(), std::greater<>());
  return due;
}

std::optional<Instant> next_due(const Membership& membership, Instant paid_at, Instant now) {
  if (membership.status != ACTIVE) return std::nullopt;
  Instant next = membership.grace_ends_at;
  if (membership.cancelled_at) return next;
  for (const std::int64_t day : membership.reminder_days.value) {
    const Instant at = membership.expires_at - std::chrono::days(day);
    if (at > paid_at && at > now) next = std::min(next, at);
  }
  return next;
}

Failure membership_not_active() {
  return bad_request("MEMBERSHIP_NOT_ACTIVE", "The membership is not active.");
}

Failure membership_not_paused() {
  return bad_request("MEMBERSHIP_NOT_PAUSED", "The membership is not paused.");
}

Failure plan_not_possible(const std::string& message) {
  return bad_request("PLAN_NOT_POSSIBLE", message);
}

Failure too_many_membership_changes() {
  return bad_request("TOO_MANY_CHANGES", fmt::format("A membership can be paused, resumed, cancelled and moved to "
                                                     "another plan {} times in all.",
                                                     membership_changes_max));
}

Failure too_many_membership_periods() {
  return bad_request("TOO_MANY_PERIODS", fmt::format("A membership can be paid, tried and redeemed {} times in all.",
                                                     membership_periods_max));
}

MembershipPayload payload_of(const Membership& membership, const MembershipPeriod* period) {
  MembershipPayload payload{.membership_id = membership.id.text(),
                            .product_id = membership.product_id.text(),
                            .status = std::string(name_of(membership.status)),
                            .user_id = membership.user_id.text(),
                            .customer_id = std::nullopt,
                            .chat_user_id = membership.chat_user_id,
                            .started_at = membership.started_at,
                            .expires_at = membership.expires_at,
                            .grace_ends_at = membership.grace_ends_at,
                            .gifted_by = period == nullptr ? std::nullopt : period->gifted_by};
  if (membership.customer_id) payload.customer_id = membership.customer_id->text();
  return payload;
}

}  // namespace guildhall
