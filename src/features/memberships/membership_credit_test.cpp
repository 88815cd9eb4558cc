// The credit for the unused time of a plan, when prices change.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "features/memberships/membership_time.h"

namespace guildhall {
namespace {

using std::chrono::days;

Instant credit_day(std::int64_t number) {
  return Instant{1'767'225'600'000} + days(number);
}

std::int64_t ms_of(std::int64_t number_of_days) {
  return std::chrono::milliseconds(days(number_of_days)).count();
}

// A payment at the list price. Without `periods` it is a change of the plan by an admin.
MembershipPeriod bought(int number, Instant at, std::string plan, std::int64_t list_cents, std::int64_t periods = 1) {
  MembershipPeriod made;
  made.id = MembershipPeriodId(fmt::format("{:06}", number));
  made.product_id = ProductId(std::move(plan));
  made.days = 30 * periods;
  made.value_cents = list_cents * periods;
  made.paid_at = at;
  made.list_days.value = 30;
  made.list_cents.value = list_cents;
  return made;
}

Instant end_after(const std::vector<MembershipPeriod>& periods) {
  return time_of(periods, {}).value().ends_at;
}

TEST(MembershipCredit, keeps_the_price_of_the_day_on_which_the_plan_was_changed) {
  const std::vector<MembershipPeriod> changed{bought(1, credit_day(0), "basic", 1000),
                                              bought(2, credit_day(0), "better", 1000, 0)};
  ASSERT_EQ(end_after(changed), credit_day(30));
  for (const int later_price : {0, 10, 1000, 100'000}) {
    auto periods = changed;
    periods.push_back(bought(3, credit_day(1), "better", later_price));
    EXPECT_EQ(end_after(periods), credit_day(60)) << later_price;
    periods.back().refunded_at = credit_day(2);
    EXPECT_EQ(end_after(periods), credit_day(30)) << "after the refund of a payment at " << later_price;
  }
}

TEST(MembershipCredit, of_a_gift_keeps_the_price_of_the_day_of_the_gift) {
  std::vector<MembershipPeriod> periods{bought(1, credit_day(0), "better", 1000),
                                        bought(2, credit_day(1), "basic", 500)};
  periods.back().gifted_by = "giver";
  ASSERT_EQ(end_after(periods), credit_day(45));
  periods.push_back(bought(3, credit_day(2), "better", 10));
  EXPECT_EQ(end_after(periods), credit_day(75));
}

TEST(MembershipTime, keeps_the_longer_grace_within_which_somebody_pays) {
  std::vector<MembershipPeriod> periods{bought(1, credit_day(0), "basic", 1000)};
  periods.back().grace_days.value = 90;
  periods.push_back(bought(2, credit_day(100), "basic", 1000));  // the shop has abolished the grace
  const MembershipTime time = time_of(periods, {}).value();
  EXPECT_EQ(time.ends_at, credit_day(60));
  EXPECT_EQ(time.grace_ends_at(), credit_day(150));
}

std::int64_t any_price() {
  return *rc::gen::element<std::int64_t>(0, 1, 10, 999, 1000, 2500, 100'000, 9'007'199'254'740'991);
}

MembershipPeriod any_payment(int number, Instant at) {
  const std::int64_t list = any_price();
  auto paid = bought(number, at, fmt::format("{}", *rc::gen::inRange(0, 3)), list, *rc::gen::inRange(0, 4));
  if (*rc::gen::inRange(0, 3) == 0) std::tie(paid.months, paid.days) = std::tuple(*rc::gen::inRange(0, 3), 0);
  if (*rc::gen::inRange(0, 3) == 0) paid.value_cents = any_price();  // a discount or a price by hand
  paid.grace_days.value = *rc::gen::inRange(0, 20);
  if (*rc::gen::inRange(0, 5) == 0) paid.gifted_by = "giver";
  return paid;
}

// Payments, gifts, changes of the plan, refunds, pauses and cancellations at any prices, in the order of their times.
struct AnyHistory {
  std::vector<MembershipPeriod> periods{};
  std::vector<MembershipChange> changes{};
  Instant today = credit_day(0);

  void step(int number) {
    using enum MembershipChangeKind;
    today = today + std::chrono::hours(*rc::gen::inRange(1, 24 * 40));
    const int kind = *rc::gen::inRange(0, 10);
    if (kind == 9) {
      changes.push_back({*rc::gen::element(PAUSED, RESUMED, CANCELLED), today});
    } else if (kind == 8 && !periods.empty()) {
      MembershipPeriod& refunded = periods[*rc::gen::inRange<std::size_t>(0, periods.size())];
      if (!refunded.refunded_at) refunded.refunded_at = today;
    } else {
      pay(any_payment(number, today));
    }
  }

  void pay(const MembershipPeriod& payment) {
    const auto before = time_of(periods, changes);
    periods.push_back(payment);
    if (!before) return;
    const MembershipTime after = time_of(periods, changes).value();
    const bool has_unused_time = before->paused_from || today < before->ends_at;
    const bool changes_plan = before->plan != after.plan && has_unused_time;
    if (!changes_plan) RC_ASSERT(after.ends_at >= before->ends_at);
    if (before->plan == after.plan) RC_ASSERT(after.grace_ends_at() >= before->grace_ends_at());
  }
};

TEST(MembershipCredit, never_makes_a_payment_end_the_membership_earlier) {
  EXPECT_TRUE(rc::check([] {
    AnyHistory history;
    const int steps = *rc::gen::inRange(1, 25);
    for (int number = 0; number < steps; ++number) history.step(number);
  }));
}

// The present plan: when it began, what was paid for it since, and the price of the credit.
struct PresentPlan {
  Instant begins_at;
  std::int64_t paid_days = 0;
  std::int64_t credit_price_cents = 0;
};

TEST(MembershipCredit, is_never_worth_more_than_was_paid) {
  EXPECT_TRUE(rc::check([] {
    std::vector<MembershipPeriod> periods;
    std::optional<PresentPlan> present;
    __int128 paid_cents = 0;
    Instant today = credit_day(0);
    const int steps = *rc::gen::inRange(1, 25);
    for (int number = 0; number < steps; ++number) {
      today = today + days(*rc::gen::inRange(0, 40));
      const auto plan = fmt::format("{}", *rc::gen::inRange(0, 3));
      const auto before = time_of(periods, {});
      periods.push_back(bought(number, today, plan, any_price(), *rc::gen::inRange(0, 3)));
      const MembershipPeriod& last = periods.back();
      const bool begins = !before || today > before->ends_at;
      if (begins || before->plan.text() != plan) {
        present = {.begins_at = begins ? today : std::min(today, before->ends_at),
                   .credit_price_cents = last.list_cents};
      }
      present->paid_days += last.days;
      const std::int64_t credit_ms = end_after(periods).ms - present->begins_at.ms - ms_of(present->paid_days);
      RC_ASSERT(credit_ms >= 0);
      if (begins) RC_ASSERT(credit_ms == 0);
      RC_ASSERT(static_cast<__int128>(credit_ms) * present->credit_price_cents <= paid_cents * ms_of(30));
      paid_cents += last.value_cents;
    }
  }));
}

// A function that called itself for each plan overflowed the stack here, and one that added up all payments again for
// each would not end.
TEST(MembershipTime, follows_any_number_of_plan_changes) {
  std::vector<MembershipPeriod> periods;
  for (int i = 0; i < 60'000; ++i) {
    periods.push_back(
        bought(i, credit_day(0) + std::chrono::minutes(i), i % 2 == 0 ? "a" : "b", 1000, i == 0 ? 100 : 0));
  }
  EXPECT_EQ(time_of(periods, {})->plan.text(), "b");
  for (std::size_t i = 1; i < periods.size(); ++i) {
    periods[i].refunded_at = credit_day(100) - std::chrono::minutes(i);  // the last first
  }
  EXPECT_EQ(time_of(periods, {})->plan.text(), "a");
  EXPECT_EQ(end_after(periods), credit_day(3000));
}

}  // namespace
}  // namespace guildhall
