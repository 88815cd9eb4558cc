#include "features/memberships/membership_time.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>
#include <rapidcheck.h>

#include "support/membership_model.h"

namespace guildhall {
namespace {

using std::chrono::days;

Instant at(std::string_view text) {
  return parse_instant(text).value();
}

Instant day(std::int64_t number) {
  return at("2026-01-01T12:00:00Z") + days(number);
}

MembershipPeriod period(std::string id, Instant paid_at, PeriodLength length, std::string plan = "A",
                        std::int64_t cents = 1000) {
  MembershipPeriod made;
  made.id = MembershipPeriodId(std::move(id));
  made.product_id = ProductId(std::move(plan));
  made.months = made.list_months.value = length.months;
  made.days = made.list_days.value = length.days;
  made.value_cents = made.list_cents.value = cents;
  made.paid_at = paid_at;
  return made;
}

std::string end_of(const std::vector<MembershipPeriod>& periods, const std::vector<MembershipChange>& changes = {}) {
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

TEST(MembershipTime, counts_calendar_months_in_the_time_zone_of_the_shop) {
  struct Case {
    const char *zone, *from, *to;
    std::int64_t months;
  };
  for (const Case& each : {// 00:30 on 31 January in Berlin is still the 30th in UTC.
                           Case{"Europe/Berlin", "2026-01-30T23:30:00.000Z", "2026-02-27T23:30:00.000Z", 1},
                           Case{"Europe/Berlin", "2024-01-30T23:30:00.000Z", "2024-02-28T23:30:00.000Z", 1},
                           // 10:00 in winter and 10:00 in summer.
                           Case{"Europe/Berlin", "2026-03-15T09:00:00.000Z", "2026-04-15T08:00:00.000Z", 1},
                           Case{"Europe/Berlin", "2026-09-25T08:00:00.000Z", "2026-10-25T09:00:00.000Z", 1},
                           // 02:30 is skipped on 29 March, and happens twice on 25 October.
                           Case{"Europe/Berlin", "2026-02-28T01:30:00.123Z", "2026-03-28T01:30:00.123Z", 1},
                           Case{"Europe/Berlin", "2025-12-29T01:30:00.000Z", "2026-03-29T01:00:00.000Z", 3},
                           Case{"Europe/Berlin", "2026-09-25T00:30:00.000Z", "2026-10-25T00:30:00.000Z", 1},
                           Case{"America/Los_Angeles", "2024-01-31T07:59:59.999Z", "2024-03-01T07:59:59.999Z", 1},
                           Case{"Pacific/Kiritimati", "2024-01-30T10:00:00.000Z", "2024-02-28T10:00:00.000Z", 1},
                           Case{"Asia/Kolkata", "2024-02-28T18:30:00.000Z", "2025-02-27T18:30:00.000Z", 12}}) {
    EXPECT_EQ(to_string(add_months(at(each.from), each.months, TimeZone::find(each.zone).value())), each.to)
        << each.from;
  }
}

TEST(MembershipTime, shows_the_same_local_time_months_later_in_any_time_zone) {
  using namespace std::chrono;
  EXPECT_TRUE(rc::check([] {
    const TimeZone zone =
        TimeZone::find(*rc::gen::element("Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Asia/Kathmandu",
                                         "Australia/Lord_Howe", "Pacific/Apia", "UTC"))
            .value();
    // Any time of 2000 to 2036, with leap days and both changes of the clock in each year.
    const Instant start{*rc::gen::inRange<std::int64_t>(946'684'800'000, 2'082'758'400'000)};
    const auto months = *rc::gen::inRange<std::int64_t>(1, 60);
    const Instant end = add_months(start, months, zone);
    const LocalTime from = zone.local_time(start), to = zone.local_time(end);
    const year_month_day from_date{floor<days>(from)}, to_date{floor<days>(to)};
    const auto month = year_month{from_date.year(), from_date.month()} + std::chrono::months(months);
    const year_month_day wanted{month / std::min(from_date.day(), year_month_day_last{month / last}.day())};
    const LocalTime expected = local_days(wanted) + (from - floor<days>(from));
    if (to == expected) {
      RC_ASSERT(to_date == wanted);
      RC_ASSERT(zone.local_time(end - hours(1)) != expected);  // the first of two
    } else {  // clocks skip that time: it is the moment of the change, after which they show a later time
      RC_ASSERT(to > expected);
      RC_ASSERT(zone.local_time(end - milliseconds(1)) < expected);
    }
    RC_ASSERT(end > start);
    RC_ASSERT(add_months(start, months + 1, zone) > end);
  }));
}

TEST(MembershipTime, ends_where_one_payment_for_all_months_would_have_ended) {
  EXPECT_TRUE(rc::check([] {
    const TimeZone zone = TimeZone::find(*rc::gen::element("Europe/Berlin", "America/New_York", "UTC")).value();
    const Instant start{*rc::gen::inRange<std::int64_t>(1'577'836'800'000, 1'893'456'000'000)};
    const auto count = *rc::gen::inRange(2, 30);
    std::vector<MembershipPeriod> periods;
    Instant paid_at = start;
    for (int i = 0; i < count; ++i) {
      periods.push_back(period(fmt::format("{:03}", i), paid_at, {.months = 1}));
      // The shop moves after the first payment, which changes nothing.
      periods.back().time_zone = i == 0 ? zone.name() : "Asia/Tokyo";
      const Instant end = time_of(periods, {})->ends_at;
      RC_ASSERT(end == add_months(start, i + 1, zone));
      paid_at = *rc::gen::arbitrary<bool>() ? end : paid_at + std::chrono::hours(*rc::gen::inRange(0, 24 * 27));
    }
    const auto taken = *rc::gen::inRange<std::size_t>(0, periods.size() - 1);
    periods[taken].refunded_at = paid_at - std::chrono::milliseconds(1);
    if (periods.back().paid_at <= *periods[taken].refunded_at) {
      RC_ASSERT(time_of(periods, {})->ends_at == add_months(start, count - 1, zone));
    }
  }));
}

TEST(MembershipTime, never_changes_the_plan_by_a_gift) {
  const auto better = period("1", day(0), {.days = 30}, "better", 2000);
  auto gift = period("2", day(10), {.days = 30}, "basic", 1000);
  gift.gifted_by = "giver";
  EXPECT_EQ(time_of({better, gift}, {})->plan.text(), "better");
  EXPECT_EQ(end_of({better, gift}), to_string(day(30 + 15))) << "10.00 is half of a period";
  const auto again = period("3", day(20), {.days = 30}, "better", 2000);
  EXPECT_EQ(end_of({better, gift, again}), to_string(day(75)));
  auto refunded = gift;
  refunded.refunded_at = day(12);
  EXPECT_EQ(end_of({better, refunded, again}), to_string(day(60)));
  gift.paid_at = day(31);
  EXPECT_EQ(time_of({better, gift}, {})->plan.text(), "basic") << "after the end it begins";
  EXPECT_EQ(end_of({better, gift}), to_string(day(61)));
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
  EXPECT_EQ(time_of({basic, better}, {})->plan.text(), "better");
}

TEST(MembershipTime, returns_to_the_former_plan_when_a_change_is_refunded) {
  const auto basic = period("1", day(0), {.days = 30}, "basic", 1000);
  auto better = period("2", day(10), {.days = 30}, "better", 2000);
  better.refunded_at = day(12);
  EXPECT_EQ(time_of({basic, better}, {})->plan.text(), "basic");
  EXPECT_EQ(end_of({basic, better}), to_string(day(30)));
  // The change was made during a pause from the 5th, which lasts until the 20th.
  const std::vector<MembershipChange> pause{{MembershipChangeKind::PAUSED, day(5)},
                                            {MembershipChangeKind::RESUMED, day(20)}};
  EXPECT_EQ(end_of({basic, better}, pause), to_string(day(45)));
  better.refunded_at = day(25);
  EXPECT_EQ(end_of({basic, better}, pause), to_string(day(45)));
}

TEST(MembershipTime, loses_no_value_in_changes_of_the_plan) {
  EXPECT_TRUE(rc::check([] {
    struct Plan {
      std::int64_t days, cents;
    };
    const Plan plans[] = {{7, 300}, {30, 1000}, {30, 2500}, {365, 9900}};
    std::vector<MembershipPeriod> periods;
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
      RC_ASSERT(found.plan.text() == std::to_string(next));
    }
  }));
}

// All that happens to a membership, given to time_of().
struct TimedMembership {
  std::string pay(const std::string& id, const test::ModelPlan& plan, int count, bool is_gift, Instant now) {
    MembershipPeriod paid = period(id, now, {.days = plan.period_days}, plan.name, plan.price_cents());
    paid.days *= count;
    paid.value_cents *= count;
    paid.grace_days.value = plan.grace_days;
    if (is_gift) paid.gifted_by = "giver";
    periods.push_back(paid);
    return id;
  }
  std::string change_plan(const std::string& id, const test::ModelPlan& plan, Instant now) {
    return pay(id, plan, 0, false, now);
  }
  void refund(const std::string& id, Instant now) {
    std::ranges::find(periods, MembershipPeriodId(id), &MembershipPeriod::id)->refunded_at = now;
  }
  void pause(Instant now) { changes.push_back({MembershipChangeKind::PAUSED, now}); }
  void resume(Instant now) { changes.push_back({MembershipChangeKind::RESUMED, now}); }
  void cancel(Instant now) { changes.push_back({MembershipChangeKind::CANCELLED, now}); }
  void pass_time(Instant) {}

  void check(const test::MembershipModel& model, int step) const {
    const MembershipTime time = time_of(periods, changes).value();
    EXPECT_EQ(to_string(time.ends_at), to_string(model.end())) << step;
    EXPECT_EQ(to_string(time.starts_at), to_string(model.start())) << step;
    EXPECT_EQ(time.plan.text(), model.plan().name) << step;
    EXPECT_EQ(time.last_period.text(), model.last_payment()) << step;
    EXPECT_EQ(time.grace_days, model.grace_days()) << step;
    EXPECT_EQ(time.is_cancelled, model.is_cancelled()) << step;
    EXPECT_EQ(time.paused_from.has_value(), model.is_paused()) << step;
    EXPECT_LE(time.starts_at, time.ends_at) << step;
  }

  std::vector<MembershipPeriod> periods{};
  std::vector<MembershipChange> changes{};
};

TEST(MembershipTime, is_that_of_an_account_after_payments_gifts_changes_refunds_pauses_and_cancellations_at_random) {
  for (unsigned seed = 1; seed <= 3000 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    test::MembershipModel model(day(0));
    TimedMembership subject;
    test::live_at_random(random, 30, model, subject);
    if (model.is_empty()) continue;
    std::shuffle(subject.periods.begin(), subject.periods.end(), random);
    subject.check(model, 30);  // the order of the rows does not matter
  }
}

TEST(MembershipTime, has_no_end_after_the_year_9999) {
  std::vector<MembershipPeriod> periods;
  for (int i = 0; i < 5; ++i) {
    periods.push_back(period(std::to_string(i), day(i), {.months = 100'000'000, .days = 100'000'000},
                             std::to_string(i % 2), 9'007'199'254'740'991));
  }
  EXPECT_EQ(end_of(periods), "9999-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace guildhall
