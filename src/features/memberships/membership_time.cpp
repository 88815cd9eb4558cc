#include "features/memberships/membership_time.h"

#include <algorithm>

namespace guildhall {
namespace {

using std::chrono::days, std::chrono::milliseconds;

constexpr Instant last_instant{253'402'300'799'999};  // the end of the year 9999
constexpr std::int64_t months_max = 120'000, days_max = 3'660'000;
constexpr std::int64_t day_length_ms = milliseconds(days(1)).count();

// What a period adds to a stretch.
struct Part {
  std::string period;
  PeriodLength length;
  std::int64_t credited_ms = 0;  // of a gift of another plan
  std::int64_t value_cents = 0;
  std::optional<Instant> paid_by_member_at{};
};

// Time of one plan without a gap.
struct Stretch {
  std::string plan;
  Instant begins_at;
  TimeZone zone;              // in which months are counted
  std::vector<Part> parts{};  // of the periods that count
  std::int64_t paused_ms = 0;
  PeriodLength list_length;
  std::int64_t list_cents = 0;
  std::int64_t grace_days = 0;
  bool is_change = false;                // the plan before it was changed to this one
  std::optional<Instant> unused_from{};  // when it was changed to the next plan
};

// What a stretch comes to, together with the credit from the plan before it.
struct Sum {
  Instant ends_at;
  std::int64_t length_ms = 0;    // without pauses
  std::int64_t value_cents = 0;  // with the credit
};

std::int64_t scaled(std::int64_t value, std::int64_t factor, std::int64_t divisor) {
  if (divisor <= 0) return 0;
  const __int128 product = static_cast<__int128>(value) * factor / divisor;
  return static_cast<std::int64_t>(std::min<__int128>(product, last_instant.ms));
}

Instant later(Instant instant, std::int64_t ms) {
  return ms > last_instant.ms - instant.ms ? last_instant : instant + milliseconds(ms);
}

std::int64_t length_ms(const Stretch& stretch, PeriodLength length) {
  return add(stretch.begins_at, length, stretch.zone).ms - stretch.begins_at.ms;
}

// The time that an amount buys at the list price of the plan. Without a price it is `otherwise`.
std::int64_t bought_ms(const Stretch& stretch, std::int64_t cents, std::int64_t otherwise) {
  if (stretch.list_cents <= 0) return otherwise;
  return scaled(cents, length_ms(stretch, stretch.list_length), stretch.list_cents);
}

class Timeline {
 public:
  void pay(const PaidPeriod& period) {
    const Instant at = period.paid_at;
    if (stretches_.empty() || !continues(at)) {
      first_of_present_ = stretches_.size();
      cancelled_at_.reset();
      open(period, at, false);
    } else if (stretches_.back().plan != period.plan) {
      if (period.is_gift) return credit_gift(period);
      change_plan(period, at);
    }
    Stretch& stretch = stretches_.back();
    Part& part = stretch.parts.emplace_back(
        Part{.period = period.id, .length = period.length, .value_cents = period.value_cents});
    const bool has_length = period.length.months > 0 || period.length.days > 0;
    if (has_length && !period.is_gift) part.paid_by_member_at = at;
    stretch.list_length = period.list_length;
    stretch.list_cents = period.list_cents;
    stretch.grace_days = period.grace_days;
  }

  void refund(const PaidPeriod& period) {
    bool is_present = false;
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
      Stretch& stretch = stretches_[i];
      const auto erased = std::erase_if(stretch.parts, [&](const Part& part) { return part.period == period.id; });
      if (erased > 0) is_present = i >= first_of_present_;
    }
    if (!is_present) return;  // that time has passed before the present one began
    while (stretches_.back().parts.empty() && stretches_.back().is_change) undo_change();
    if (end() > paused_from_.value_or(*period.refunded_at)) return;
    stretches_.back().grace_days = 0;
    paused_from_.reset();
  }

  void change(const TimeChange& change) {
    if (stretches_.empty()) return;
    switch (change.kind) {
      case TimeChange::Kind::paused:
        if (!paused_from_ && change.at < end()) paused_from_ = change.at;
        break;
      case TimeChange::Kind::resumed:
        if (paused_from_) stretches_.back().paused_ms += change.at.ms - paused_from_->ms;
        paused_from_.reset();
        break;
      case TimeChange::Kind::cancelled:
        cancelled_at_ = change.at;
        break;
    }
  }

  std::optional<MembershipTime> result() const {
    if (stretches_.empty()) return std::nullopt;
    const Stretch& last = stretches_.back();
    return MembershipTime{.plan = last.plan,
                          .starts_at = stretches_[first_of_present_].begins_at,
                          .ends_at = end(),
                          .grace_days = grace_days(),
                          .last_period = last.parts.empty() ? "" : last.parts.back().period,
                          .paused_from = paused_from_,
                          .is_cancelled = is_cancelled()};
  }

 private:
  Instant end() const { return sum_of(stretches_.size() - 1).ends_at; }

  bool continues(Instant at) const {
    if (paused_from_) return true;  // time does not pass
    return at <= end() + days(grace_days());
  }

  // A payment of the member undoes a cancellation, unless it is refunded.
  bool is_cancelled() const {
    if (!cancelled_at_) return false;
    return std::none_of(stretches_.begin() + static_cast<std::ptrdiff_t>(first_of_present_), stretches_.end(),
                        [&](const Stretch& stretch) {
                          return std::ranges::any_of(
                              stretch.parts, [&](const Part& part) { return part.paid_by_member_at > cancelled_at_; });
                        });
  }

  std::int64_t grace_days() const { return is_cancelled() ? 0 : stretches_.back().grace_days; }

  void open(const PaidPeriod& period, Instant at, bool is_change) {
    stretches_.push_back(
        {.plan = period.plan, .begins_at = at, .zone = period.zone, .list_length = {}, .is_change = is_change});
  }

  // A gift does not change the plan of a member: one of another plan adds what it is worth in the present one.
  void credit_gift(const PaidPeriod& gift) {
    Stretch& present = stretches_.back();
    present.parts.push_back({.period = gift.id,
                             .length = {},
                             .credited_ms = bought_ms(present, gift.value_cents, length_ms(present, gift.length)),
                             .value_cents = gift.value_cents});
  }

  // During the grace there is no unused time, and the new plan begins where the former has ended.
  void change_plan(const PaidPeriod& period, Instant at) {
    const Instant begin = paused_from_ ? at : std::min(at, end());
    stretches_.back().unused_from = paused_from_.value_or(begin);
    if (paused_from_) paused_from_ = at;
    open(period, begin, true);
  }

  void undo_change() {
    const Stretch undone = std::move(stretches_.back());
    stretches_.pop_back();
    Stretch& former = stretches_.back();
    former.paused_ms += undone.paused_ms;
    if (paused_from_ == undone.begins_at) {
      paused_from_ = former.unused_from;
    } else {
      former.paused_ms += undone.begins_at.ms - former.unused_from->ms;  // not 0 if it was changed during a pause
    }
    former.unused_from.reset();
  }

  Sum sum_of(std::size_t index) const {
    const Stretch& stretch = stretches_[index];
    Sum sum;
    PeriodLength length;
    for (const Part& part : stretch.parts) {
      length.months = std::min(length.months + part.length.months, months_max);
      length.days = std::min(length.days + part.length.days, days_max);
      sum.length_ms = std::min(sum.length_ms + part.credited_ms, last_instant.ms);
      sum.value_cents = std::min(sum.value_cents + part.value_cents, last_instant.ms);
    }
    sum.length_ms += length_ms(stretch, length);
    if (stretch.is_change) {
      const Stretch& former = stretches_[index - 1];
      const Sum before = sum_of(index - 1);
      const std::int64_t unused =
          std::clamp<std::int64_t>(before.ends_at.ms - former.unused_from->ms, 0, before.length_ms);
      const std::int64_t credit = scaled(before.value_cents, unused, before.length_ms);
      sum.length_ms += bought_ms(stretch, credit, unused);
      sum.value_cents += credit;
    }
    sum.ends_at = later(later(stretch.begins_at, sum.length_ms), stretch.paused_ms);
    return sum;
  }

  std::vector<Stretch> stretches_;
  std::size_t first_of_present_ = 0;  // the stretches from here on have no gap between them
  std::optional<Instant> paused_from_;
  std::optional<Instant> cancelled_at_;
};

}  // namespace

Instant add_months(Instant instant, std::int64_t months, const TimeZone& zone) {
  using namespace std::chrono;
  if (months <= 0) return instant;
  const LocalTime time = zone.local_time(instant);
  const local_days day = floor<std::chrono::days>(time);
  const year_month_day date{day};
  const year_month month =
      year_month{date.year(), date.month()} + std::chrono::months(std::min<std::int64_t>(months, months_max));
  if (month.year() > year(9999)) return last_instant;
  const std::chrono::day last = year_month_day_last{month.year(), month_day_last{month.month()}}.day();
  const local_days clipped{month / std::min(date.day(), last)};
  return std::min(zone.instant_of(clipped + (time - day)), last_instant);
}

Instant add(Instant instant, PeriodLength length, const TimeZone& zone) {
  return later(add_months(instant, length.months, zone), std::min(length.days, days_max) * day_length_ms);
}

std::optional<MembershipTime> time_of(const std::vector<PaidPeriod>& periods, const std::vector<TimeChange>& changes) {
  struct Event {
    Instant at;
    int order;  // of events at the same time: payments, then changes, then refunds
    const PaidPeriod* period;
    const TimeChange* change;
  };
  std::vector<Event> events;
  for (const PaidPeriod& period : periods) {
    events.push_back({period.paid_at, 0, &period, nullptr});
    if (period.refunded_at) events.push_back({std::max(*period.refunded_at, period.paid_at), 2, &period, nullptr});
  }
  for (const TimeChange& change : changes) events.push_back({change.at, 1, nullptr, &change});
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    if (std::pair(a.at, a.order) != std::pair(b.at, b.order))
      return std::pair(a.at, a.order) < std::pair(b.at, b.order);
    return a.period != nullptr && b.period != nullptr && a.period->id < b.period->id;
  });
  Timeline timeline;
  for (const Event& event : events) {
    if (event.change != nullptr) {
      timeline.change(*event.change);
    } else if (event.order == 0) {
      timeline.pay(*event.period);
    } else {
      timeline.refund(*event.period);
    }
  }
  return timeline.result();
}

}  // namespace guildhall
