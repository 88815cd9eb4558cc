#include "features/memberships/membership_time.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace guildhall {
namespace {

using std::chrono::days, std::chrono::milliseconds;

constexpr Instant last_instant{253'402'300'799'999};  // the end of the year 9999
constexpr std::int64_t months_max = 120'000, days_max = 3'660'000;
constexpr std::int64_t day_length_ms = milliseconds(days(1)).count();

// The time and the value that a period adds to a stretch.
struct Part {
  PeriodLength length;
  std::int64_t credited_ms = 0;  // of a gift of another plan
  std::int64_t value_cents = 0;
  std::optional<Instant> paid_by_member_at{};
};

// The sum of the parts of a stretch. Each part is limited, so that the sum of all that fit into memory fits, too.
struct PartSum {
  __int128 months = 0, days = 0, credited_ms = 0, value_cents = 0;

  void add(const Part& part, int factor) {
    months += factor * limited(part.length.months, months_max);
    days += factor * limited(part.length.days, days_max);
    credited_ms += factor * limited(part.credited_ms, last_instant.ms);
    value_cents += factor * limited(part.value_cents, last_instant.ms);
  }
  PeriodLength length() const { return {.months = limited(months, months_max), .days = limited(days, days_max)}; }

  static std::int64_t limited(__int128 value, std::int64_t max) {
    return static_cast<std::int64_t>(std::clamp<__int128>(value, 0, max));
  }
};

struct ListPrice {
  PeriodLength length;
  std::int64_t cents = 0;
};

// Time of one plan without a gap.
struct Stretch {
  ProductId plan;
  Instant begins_at;
  TimeZone zone;                                        // in which months are counted
  std::int64_t credit_length_ms = 0;                    // the length that credit_price_cents buys
  std::int64_t credit_price_cents = 0;                  // the list price when the plan was changed to this one
  ListPrice last_price{};                               // the list price at the last payment
  std::map<std::size_t, MembershipPeriodId> periods{};  // those that were not refunded, by the number of their payment
  PartSum parts{};                                      // the sum of their parts
  std::int64_t parts_ms = 0;                            // their length
  std::int64_t paused_ms = 0;
  std::int64_t grace_days = 0;
  bool is_change = false;                // the plan before it was changed to this one
  std::optional<Instant> unused_from{};  // when it was changed to the next plan

  // The results, together with the credit from the plan before it.
  Instant ends_at{};
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

// The time that an amount buys at a list price. Without a price it is `otherwise`.
std::int64_t bought_ms(std::int64_t cents, std::int64_t price_length_ms, std::int64_t price_cents,
                       std::int64_t otherwise) {
  return price_cents <= 0 ? otherwise : scaled(cents, price_length_ms, price_cents);
}

// A machine may not know the time zone any more: months are then counted in UTC.
TimeZone zone_of(const MembershipPeriod& period) {
  return TimeZone::find(period.time_zone).value_or(TimeZone());
}

// Follows the events of a membership in the order of their times. The results of each stretch are kept, and computed
// again only from the stretch on that an event changes.
class Timeline {
 public:
  void pay(const MembershipPeriod& period) {
    const Instant at = period.paid_at;
    if (stretches_.empty() || !continues(at)) {
      begin_anew();
      open(period, at, false);
    } else if (stretches_.back().plan != period.product_id) {
      if (period.is_gift()) return credit_gift(period);
      change_plan(period, at);
    }
    const bool is_by_member = !period.is_gift() && (period.months > 0 || period.days > 0);
    add_part(period.id, {.length = period.length(),
                         .value_cents = period.value_cents,
                         .paid_by_member_at = is_by_member ? std::optional(at) : std::nullopt});
    Stretch& stretch = stretches_.back();
    stretch.last_price = {period.list_length(), period.list_cents};
    // A shop that shortens its grace does not end the time of those who pay within the former one.
    stretch.grace_days = std::max(stretch.grace_days, period.grace_days.value);
  }

  void refund(const MembershipPeriod& period) {
    const auto found = counted_.find(period.id.text());
    if (found == counted_.end()) return;
    const Counted counted = found->second;
    counted_.erase(found);
    Stretch& stretch = stretches_[counted.stretch];
    stretch.periods.erase(counted.number);
    add_to(stretch, counted.part, -1);
    if (counted.stretch < first_of_present_) return;  // it ended before the present time began
    if (counted.part.paid_by_member_at) member_payments_.erase(member_payments_.find(*counted.part.paid_by_member_at));
    while (stretches_.back().periods.empty() && stretches_.back().is_change) undo_change();
    sum_up(std::min(counted.stretch, stretches_.size() - 1));
    if (end() > paused_from_.value_or(*period.refunded_at)) return;
    stretches_.back().grace_days = 0;
    paused_from_.reset();
  }

  void change(const MembershipChange& change) {
    if (stretches_.empty()) return;
    switch (change.kind) {
      case MembershipChangeKind::PAUSED:
        if (!paused_from_ && change.at < end()) paused_from_ = change.at;
        break;
      case MembershipChangeKind::RESUMED:
        if (paused_from_) stretches_.back().paused_ms += change.at.ms - paused_from_->ms;
        paused_from_.reset();
        sum_up(stretches_.size() - 1);
        break;
      case MembershipChangeKind::CANCELLED:
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
                          .last_period = last.periods.empty() ? MembershipPeriodId() : last.periods.rbegin()->second,
                          .paused_from = paused_from_,
                          .is_cancelled = is_cancelled()};
  }

 private:
  // A period that was not refunded.
  struct Counted {
    std::size_t stretch;
    std::size_t number;
    Part part;
  };

  Instant end() const { return stretches_.back().ends_at; }

  bool continues(Instant at) const {
    if (paused_from_) return true;  // time does not pass
    return at <= add(end(), {.days = grace_days()}, {});
  }

  // A payment of the member undoes a cancellation, unless it is refunded.
  bool is_cancelled() const {
    return cancelled_at_ && (member_payments_.empty() || *member_payments_.rbegin() <= *cancelled_at_);
  }

  std::int64_t grace_days() const { return is_cancelled() ? 0 : stretches_.back().grace_days; }

  void begin_anew() {
    first_of_present_ = stretches_.size();
    cancelled_at_.reset();
    member_payments_.clear();
  }

  void open(const MembershipPeriod& period, Instant at, bool is_change) {
    Stretch& opened = stretches_.emplace_back(
        Stretch{.plan = period.product_id, .begins_at = at, .zone = zone_of(period), .is_change = is_change});
    opened.credit_length_ms = length_ms(opened, period.list_length());
    opened.credit_price_cents = period.list_cents;
  }

  static void add_to(Stretch& stretch, const Part& part, int factor) {
    stretch.parts.add(part, factor);
    stretch.parts_ms =
        length_ms(stretch, stretch.parts.length()) + PartSum::limited(stretch.parts.credited_ms, last_instant.ms);
  }

  void add_part(const MembershipPeriodId& period, const Part& part) {
    const std::size_t number = ++payments_, last = stretches_.size() - 1;
    stretches_[last].periods.emplace(number, period);
    add_to(stretches_[last], part, 1);
    counted_.insert_or_assign(period.text(), Counted{last, number, part});
    if (part.paid_by_member_at) member_payments_.insert(*part.paid_by_member_at);
    sum_up(last);
  }

  // A gift of another plan does not change the plan of a member: it adds the time that its amount buys in their plan.
  void credit_gift(const MembershipPeriod& gift) {
    const Stretch& present = stretches_.back();
    const auto& [price_length, price_cents] = present.last_price;
    add_part(gift.id, {.length = {},
                       .credited_ms = bought_ms(gift.value_cents, length_ms(present, price_length), price_cents,
                                                length_ms(present, gift.length())),
                       .value_cents = gift.value_cents});
  }

  // During the grace there is no unused time, and the new plan begins at the end of the former one.
  void change_plan(const MembershipPeriod& period, Instant at) {
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

  // Computes the results of this stretch and of those after it.
  void sum_up(std::size_t index) {
    for (; index < stretches_.size(); ++index) {
      Stretch& stretch = stretches_[index];
      stretch.length_ms = stretch.parts_ms;
      stretch.value_cents = PartSum::limited(stretch.parts.value_cents, last_instant.ms);
      if (stretch.is_change) add_credit(stretches_[index - 1], stretch);
      stretch.ends_at = later(later(stretch.begins_at, stretch.length_ms), stretch.paused_ms);
    }
  }

  static void add_credit(const Stretch& former, Stretch& stretch) {
    const std::int64_t unused =
        std::clamp<std::int64_t>(former.ends_at.ms - former.unused_from->ms, 0, former.length_ms);
    const std::int64_t credit = scaled(former.value_cents, unused, former.length_ms);
    stretch.length_ms += bought_ms(credit, stretch.credit_length_ms, stretch.credit_price_cents, unused);
    stretch.value_cents += credit;
  }

  std::vector<Stretch> stretches_;
  std::size_t first_of_present_ = 0;  // the stretches from here on have no gap between them
  std::unordered_map<std::string, Counted> counted_;
  std::multiset<Instant> member_payments_;  // of the present time
  std::size_t payments_ = 0;
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

std::optional<MembershipTime> time_of(const std::vector<MembershipPeriod>& periods,
                                      const std::vector<MembershipChange>& changes) {
  struct Event {
    Instant at;
    int order;  // of events at the same time: payments, then changes, then refunds
    const MembershipPeriod* period;
    const MembershipChange* change;
  };
  std::vector<Event> events;
  for (const MembershipPeriod& period : periods) {
    events.push_back({period.paid_at, 0, &period, nullptr});
    if (period.refunded_at) events.push_back({std::max(*period.refunded_at, period.paid_at), 2, &period, nullptr});
  }
  for (const MembershipChange& change : changes) events.push_back({change.at, 1, nullptr, &change});
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
