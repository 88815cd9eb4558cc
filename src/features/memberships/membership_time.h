#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"
#include "base/instant.h"
#include "base/time_zone.h"

// The time that a member has paid for. It is always computed from the complete list of payments and changes, so that
// the result does not depend on the order in which they were written, and a refund takes back exactly what its payment
// gave. Pure: no clock, no database.
namespace guildhall {

// Calendar months, then days of 24 hours.
struct PeriodLength {
  std::int64_t months = 0;
  std::int64_t days = 0;
};

// The same day and local time of a later month, or the last day of that month if it is shorter: 31 January plus one
// month is the end of February. A local time that is skipped when clocks are put forward is the time of that change.
// Nothing is later than the year 9999.
Instant add_months(Instant instant, std::int64_t months, const TimeZone& zone = {});
Instant add(Instant instant, PeriodLength length, const TimeZone& zone = {});

// The time that one payment, trial or code gives.
struct PaidPeriod {
  std::string id;
  std::string plan;              // the product
  PeriodLength length;           // of everything that was bought together
  std::int64_t value_cents = 0;  // the amount that was paid for it
  PeriodLength list_length;      // what the list price buys
  std::int64_t list_cents = 0;   // the list price
  std::int64_t grace_days = 0;   // for which a late payment still continues without a gap
  Instant paid_at;
  std::optional<Instant> refunded_at{};
  TimeZone zone{};  // of the shop when it was paid
  bool is_gift = false;
};

enum class MembershipChangeKind { PAUSED, RESUMED, CANCELLED };
BOOST_DESCRIBE_ENUM(MembershipChangeKind, PAUSED, RESUMED, CANCELLED)

struct MembershipChange {
  MembershipChangeKind kind = MembershipChangeKind::PAUSED;
  Instant at;
};
BOOST_DESCRIBE_STRUCT(MembershipChange, (), (kind, at))

struct MembershipTime {
  std::string plan;
  Instant starts_at;  // since when there was no gap
  Instant ends_at;    // during a pause: the end if it were resumed at the time at which it was paused
  std::int64_t grace_days = 0;
  std::string last_period;               // the last one that counts; empty if all are refunded
  std::optional<Instant> paused_from{};  // set while it is paused
  bool is_cancelled = false;

  Instant grace_ends_at() const { return add(ends_at, {.days = grace_days}); }
};

// Nothing if there was never a payment.
//
// - A payment extends from the present end. After the end and its grace it begins anew at the time of the payment.
// - Months and days of an uninterrupted time are added up and counted from its beginning, so that a membership that
//   began on the 31st ends on the last day of each month. They are counted in the time zone of its first period: a shop
//   that changes its time zone moves no end that was already announced.
// - A payment for another plan begins at once. The value of the unused time, in proportion to what was paid for all of
//   it, is credited as time of the new plan at its list price of that moment, which later payments do not change; to a
//   plan without a price it is carried over as it is. The end may so be earlier: the new plan may be dearer.
// - No other payment and no gift makes the end earlier. The grace of a plan becomes shorter only after a gap.
// - A gift never changes the plan of a member who has one: the amount paid for it is credited as time of that plan.
// - A refund takes the period out of the time to which it belongs. If it was all that was paid for the present plan,
//   the plan before it continues as if it had not been changed. If nothing is left, the time ends without grace.
// - A pause is added to the end when it is resumed.
// - A cancellation takes the grace away until the member pays again, and again if that payment is refunded. Neither a
//   gift nor a change of the plan without a payment undoes it.
std::optional<MembershipTime> time_of(const std::vector<PaidPeriod>& periods,
                                      const std::vector<MembershipChange>& changes);

}  // namespace guildhall
