#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"
#include "base/field_types.h"
#include "base/time_zone.h"
#include "features/entitlements/entitlement.h"

// The time of a membership. It is always computed from all periods and changes, so that the result does not depend on
// the order in which they were written, and a refund takes back exactly the time that its payment gave. Pure: no clock,
// no database.
namespace guildhall {

using MembershipPeriodId = Id<struct MembershipPeriodTag>;
using MembershipCodeId = Id<struct MembershipCodeTag>;

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

enum class PeriodKind {
  PAID,
  TRIAL,
  CODE,
  PLAN_CHANGE,  // by an admin: no time of its own, the unused time of the plan before is credited
};
BOOST_DESCRIBE_ENUM(PeriodKind, PAID, TRIAL, CODE, PLAN_CHANGE)

// The time that one payment, trial, code or change of the plan gives. It is never changed, except that it is marked as
// refunded.
struct MembershipPeriod {
  MembershipPeriodId id;
  TenantId tenant_id;
  MembershipId membership_id;
  ProductId product_id;
  PeriodKind kind = PeriodKind::PAID;
  std::optional<OrderId> order_id;
  std::optional<MembershipCodeId> code_id;
  std::optional<std::string> gifted_by;  // the chat id of the member who paid for it
  std::int64_t months = 0;               // with days, the length of everything that was bought together
  std::int64_t days = 0;
  std::int64_t value_cents = 0;  // the amount that was paid for it
  Currency currency;
  Instant paid_at;
  std::optional<Instant> refunded_at;
  std::string time_zone = TimeZone().name();  // of the shop when it was paid
  Hidden<std::int64_t> list_months;           // with list_days, the length that list_cents buys
  Hidden<std::int64_t> list_days;
  Hidden<std::int64_t> list_cents;  // the list price when it was paid
  Hidden<std::int64_t> grace_days;  // a payment within these days after the end continues without a gap
  Hidden<std::string> source_key;

  PeriodLength length() const { return {months, days}; }
  PeriodLength list_length() const { return {list_months, list_days}; }
  bool is_gift() const { return gifted_by.has_value(); }
};
BOOST_DESCRIBE_STRUCT(MembershipPeriod, (),
                      (id, tenant_id, membership_id, product_id, kind, order_id, code_id, gifted_by, months, days,
                       value_cents, currency, paid_at, refunded_at, time_zone, list_months, list_days, list_cents,
                       grace_days, source_key))

enum class MembershipChangeKind { PAUSED, RESUMED, CANCELLED };
BOOST_DESCRIBE_ENUM(MembershipChangeKind, PAUSED, RESUMED, CANCELLED)

struct MembershipChange {
  MembershipChangeKind kind = MembershipChangeKind::PAUSED;
  Instant at;
};
BOOST_DESCRIBE_STRUCT(MembershipChange, (), (kind, at))

// The result of all periods and changes.
struct MembershipTime {
  ProductId plan;
  Instant starts_at;  // the time since then has no gap
  Instant ends_at;    // during a pause: the end if the membership were resumed at the moment at which it was paused
  std::int64_t grace_days = 0;
  MembershipPeriodId last_period;        // the last one that was not refunded; empty if all were
  std::optional<Instant> paused_from{};  // set during a pause
  bool is_cancelled = false;

  Instant grace_ends_at() const { return add(ends_at, {.days = grace_days}); }
};

// Returns nothing if there was never a period. The rules:
//
// - A payment extends the membership from its present end. After the end and its grace, the membership begins anew at
//   the time of the payment.
// - Months and days without a gap between them are added up and counted from the beginning, so that a membership that
//   began on the 31st ends on the last day of each month. They are counted in the time zone of the first period: when a
//   shop changes its time zone, no end that was already announced moves.
// - A payment for another plan begins at once. The unused time of the former plan has a value: its share of the amount
//   that was paid for all of that time. This value is credited as time of the new plan, at the list price of that
//   moment, which later payments do not change. A plan without a price gets the unused time as it is. The new end can
//   be earlier than the former one, because the new plan can cost more.
// - No other payment and no gift makes the end earlier. The grace of a plan becomes shorter only after a gap.
// - A gift never changes the plan of a member who has one: the amount paid for it is credited as time of that plan.
// - A refund removes the period. If it was the only payment for the present plan, the former plan continues as if it
//   had not been changed. If no period is left, the membership ends without grace.
// - When a pause ends, its length is added to the end of the membership.
// - A cancellation removes the grace until the member pays again. It removes the grace again if that payment is
//   refunded. Neither a gift nor a change of the plan without a payment undoes a cancellation.
std::optional<MembershipTime> time_of(const std::vector<MembershipPeriod>& periods,
                                      const std::vector<MembershipChange>& changes);

}  // namespace guildhall
