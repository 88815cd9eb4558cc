#include "features/memberships/membership_time.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>
#include <rapidcheck.h>

namespace guildhall {
namespace {

using std::chrono::days;

Instant at(std::string_view text) {
  return parse_instant(text).value();
}

Instant day(std::int64_t number) {
  return at("2026-01-01T12:00:00Z") + days(number);
}

PaidPeriod period(std::string id, Instant paid_at, PeriodLength length, std::string plan = "A",
                  std::int64_t cents = 1000) {
  return {.id = std::move(id),
          .plan = std::move(plan),
          .length = length,
          .value_cents = cents,
          .list_length = length,
          .list_cents = cents,
          .grace_days = 0,
          .paid_at = paid_at};
}

std::string end_of(const std::vector<PaidPeriod>& periods, const std::vector<TimeChange>& changes = {}) {
  return to_string(time_of(periods, changes).value().ends_at);
}

TEST(MembershipTime, counts_calendar_months_and_stays_within_the_month) {
  struct Case {
    const char *from, *to;
    std::int64_t months;
  };
  for (const Case& each : {Case{"2026-01-15T08:30:00.123Z", "2026-02-15T08:30:00.123Z", 1},
                           Case{"2026-01-31T23:59:59.999Z", "2026-02-28T23:59:59.999Z", 1},
                           Case{"2024-01-31T00:00:00.000Z", "2024-02-29T00:00:00.000Z", 1},
                           Case{"2024-02-29T00:00:00.000Z", "2025-02-28T00:00:00.000Z", 12},
                           Case{"2024-02-29T00:00:00.000Z", "2028-02-29T00:00:00.000Z", 48},
                           Case{"2026-12-31T00:00:00.000Z", "2027-01-31T00:00:00.000Z", 1},
                           Case{"2099-12-31T00:00:00.000Z", "2100-02-28T00:00:00.000Z", 2},
                           Case{"1969-12-31T23:00:00.000Z", "1970-02-28T23:00:00.000Z", 2},
                           Case{"9999-12-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", 1},
                           Case{"2026-01-15T00:00:00.000Z", "9999-12-31T23:59:59.999Z", 1'000'000'000}}) {
    EXPECT_EQ(to_string(add_months(at(each.from), each.months)), each.to) << each.from;
  }
}

TEST(MembershipTime, keeps_the_day_of_the_month_over_a_short_month) {
  const Instant start = at("2026-01-31T10:00:00Z");
  EXPECT_EQ(end_of({period("1", start, {.months = 1})}), "2026-02-28T10:00:00.000Z");
  EXPECT_EQ(end_of({period("1", start, {.months = 1}), period("2", at("2026-02-20T00:00:00Z"), {.months = 1})}),
            "2026-03-31T10:00:00.000Z");
}

TEST(MembershipTime, credits_what_is_left_of_a_plan_at_the_price_of_the_next) {
  // Half of 10.00 is left, which buys a quarter of a period of 20.00.
  const auto basic = period("1", day(0), {.days = 30}, "basic", 1000);
  const auto better = period("2", day(15), {.days = 30}, "better", 2000);
  EXPECT_EQ(end_of({basic, better}), to_string(day(45) + std::chrono::hours(7 * 24 + 12)));
  const auto lesser = period("3", day(15), {.days = 30}, "lesser", 500);
  EXPECT_EQ(end_of({basic, lesser}), to_string(day(45 + 30)));
  const auto free = period("4", day(15), {.days = 30}, "free", 0);
  EXPECT_EQ(end_of({basic, free}), to_string(day(45 + 15)));
  auto trial = period("5", day(0), {.days = 30}, "trial", 0);
  EXPECT_EQ(end_of({trial, better}), to_string(day(45))) << "a trial has no value";
  EXPECT_EQ(time_of({basic, better}, {})->plan, "better");
}

TEST(MembershipTime, returns_to_the_former_plan_when_a_change_is_refunded) {
  const auto basic = period("1", day(0), {.days = 30}, "basic", 1000);
  auto better = period("2", day(10), {.days = 30}, "better", 2000);
  better.refunded_at = day(12);
  EXPECT_EQ(time_of({basic, better}, {})->plan, "basic");
  EXPECT_EQ(end_of({basic, better}), to_string(day(30)));
  // The change was made during a pause from the 5th, which lasts until the 20th.
  const std::vector<TimeChange> pause{{TimeChange::Kind::paused, day(5)}, {TimeChange::Kind::resumed, day(20)}};
  EXPECT_EQ(end_of({basic, better}, pause), to_string(day(45)));
  better.refunded_at = day(25);
  EXPECT_EQ(end_of({basic, better}, pause), to_string(day(45)));
}

// A membership in days, one day after the other, as a person would keep it with a calendar.
class Calendar {
 public:
  void pass_day() {
    ++today_;
    if (!paused_ && left_ > 0 && --left_ == 0) ended_on_ = today_;
  }

  void pay(const std::string& id, std::int64_t length, std::int64_t grace) {
    if (left_ > 0) {
      left_ += length;
    } else if (times_ > 0 && today_ <= ended_on_ + grace_) {
      set_end(ended_on_ + length);
    } else {
      ++times_;
      left_ = length;
      last_.clear();
    }
    grace_ = grace;
    paid_[id] = {times_, length};
    last_.push_back(id);
  }

  void refund(const std::string& id) {
    const auto [time, length] = paid_.at(id);
    if (time != times_) return;
    std::erase(last_, id);
    if (left_ > length) {
      left_ -= length;
      return;
    }
    set_end((left_ > 0 ? (paused_ ? paused_on_ : today_) + left_ : ended_on_) - length);
    grace_ = 0;
    paused_ = false;
  }

  void pause() {
    if (paused_ || left_ == 0) return;
    paused_ = true;
    paused_on_ = today_;
  }
  void resume() { paused_ = false; }
  void cancel() { grace_ = 0; }

  std::int64_t end() const { return left_ > 0 ? (paused_ ? paused_on_ : today_) + left_ : ended_on_; }
  std::int64_t grace() const { return grace_; }
  bool paused() const { return paused_; }
  std::string last() const { return last_.empty() ? "" : last_.back(); }
  std::int64_t today() const { return today_; }

 private:
  void set_end(std::int64_t end) {
    left_ = std::max<std::int64_t>(end - today_, 0);
    if (left_ == 0) ended_on_ = end;
  }

  std::int64_t today_ = 0, left_ = 0, ended_on_ = 0, grace_ = 0, paused_on_ = 0;
  bool paused_ = false;
  int times_ = 0;  // uninterrupted times so far
  std::map<std::string, std::pair<int, std::int64_t>> paid_;
  std::vector<std::string> last_;
};

TEST(MembershipTime, is_that_of_a_calendar_after_any_payments_refunds_pauses_and_cancellations) {
  EXPECT_TRUE(rc::check([] {
    Calendar calendar;
    std::vector<PaidPeriod> periods;
    std::vector<TimeChange> changes;
    std::vector<std::size_t> refundable;
    const auto steps = *rc::gen::inRange(1, 40);
    for (int step = 0; step < steps; ++step) {
      const auto waits = *rc::gen::inRange(1, 12);
      for (int i = 0; i < waits; ++i) calendar.pass_day();
      const Instant now = day(calendar.today());
      const auto kind = *rc::gen::inRange(0, 10);
      if (kind < 5 || periods.empty()) {
        const auto length = *rc::gen::inRange<std::int64_t>(1, 40);
        const auto grace = *rc::gen::inRange<std::int64_t>(0, 5);
        PaidPeriod paid = period(fmt::format("{:03}", step), now, {.days = length});
        paid.grace_days = grace;
        calendar.pay(paid.id, length, grace);
        refundable.push_back(periods.size());
        periods.push_back(paid);
      } else if (kind < 7 && !refundable.empty()) {
        const auto at = *rc::gen::inRange<std::size_t>(0, refundable.size());
        PaidPeriod& refunded = periods[refundable[at]];
        refunded.refunded_at = now;
        calendar.refund(refunded.id);
        refundable.erase(refundable.begin() + static_cast<std::ptrdiff_t>(at));
      } else if (kind == 7) {
        changes.push_back({TimeChange::Kind::paused, now});
        calendar.pause();
      } else if (kind == 8) {
        changes.push_back({TimeChange::Kind::resumed, now});
        calendar.resume();
      } else {
        changes.push_back({TimeChange::Kind::cancelled, now});
        calendar.cancel();
      }
      const MembershipTime time = time_of(periods, changes).value();
      RC_ASSERT(to_string(time.ends_at) == to_string(day(calendar.end())));
      RC_ASSERT(time.grace_days == calendar.grace());
      RC_ASSERT(time.paused_from.has_value() == calendar.paused());
      RC_ASSERT(time.last_period == calendar.last());
      RC_ASSERT(time.starts_at <= time.ends_at);
    }
    // The order of the rows does not matter.
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    const Instant end = time_of(periods, changes)->ends_at;
    std::shuffle(periods.begin(), periods.end(), random);
    RC_ASSERT(time_of(periods, changes)->ends_at == end);
  }));
}

TEST(MembershipTime, loses_no_value_in_changes_of_the_plan) {
  EXPECT_TRUE(rc::check([] {
    struct Plan {
      std::int64_t days, cents;
    };
    const Plan plans[] = {{7, 300}, {30, 1000}, {30, 2500}, {365, 9900}};
    std::vector<PaidPeriod> periods;
    std::int64_t today = 0;
    double end = 0, value = 0, length = 0;  // in days and cents
    double lost = 0, lost_days = 0;         // at most: a credit is rounded down to a cent
    int present = -1;
    const auto steps = *rc::gen::inRange(1, 15);
    for (int step = 0; step < steps; ++step) {
      today += *rc::gen::inRange(1, 20);
      const auto next = *rc::gen::inRange(0, 4);
      const auto [days, cents] = plans[next];
      periods.push_back(period(fmt::format("{:03}", step), day(today), {.days = days}, std::to_string(next), cents));
      const double t = static_cast<double>(today), price = static_cast<double>(cents), time = static_cast<double>(days);
      if (present == next && t <= end) {
        end += time, value += price, length += time;
      } else {
        const double credit = present >= 0 && t < end ? value * (end - t) / length : 0;
        length = time + credit / price * time;
        value = price + credit;
        end = t + length;
        lost = credit > 0 ? 2 * lost + 1 : 0;
        lost_days = lost / price * time;
      }
      present = next;
      const auto found = time_of(periods, {}).value();
      const double off = static_cast<double>(found.ends_at.ms - day(0).ms) / 86'400'000 - end;
      RC_ASSERT(off <= 0.001);
      RC_ASSERT(off >= -lost_days - 0.001);
      RC_ASSERT(found.plan == std::to_string(next));
    }
  }));
}

TEST(MembershipTime, has_no_end_after_the_year_9999) {
  std::vector<PaidPeriod> periods;
  for (int i = 0; i < 5; ++i) {
    periods.push_back(period(std::to_string(i), day(i), {.months = 100'000'000, .days = 100'000'000},
                             std::to_string(i % 2), 9'007'199'254'740'991));
  }
  EXPECT_EQ(end_of(periods), "9999-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace guildhall
