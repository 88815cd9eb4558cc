#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"
#include "base/field_types.h"
#include "base/metadata.h"
#include "features/catalog/product.h"
#include "features/entitlements/entitlement.h"
#include "features/memberships/membership_time.h"

// A membership: roles that a member has paid for until a certain time. Pure: no clock, no database.
namespace guildhall {

enum class MembershipStatus {
  ACTIVE,  // until the end of the grace
  PAUSED,  // by an admin: no roles, and the time stands still
  ENDED,
};
BOOST_DESCRIBE_ENUM(MembershipStatus, ACTIVE, PAUSED, ENDED)

// Pauses, resumptions, cancellations and changes of the plan by an admin, in all.
constexpr std::size_t membership_changes_max = 500;

// Every payment, refund and change reads all periods of its membership. A member who pays each day reaches this after
// five years.
constexpr std::size_t membership_periods_max = 2'000;

// A member has one membership of a product, or of all products of a group. All times follow from the periods and the
// changes (membership_time.h).
struct Membership {
  MembershipId id;
  TenantId tenant_id;
  ProductId product_id;  // the present plan
  MembershipStatus status = MembershipStatus::ACTIVE;
  HolderId user_id;
  std::optional<CustomerId> customer_id;
  std::optional<std::string> chat_user_id;
  Instant started_at;     // the time since then has no gap
  Instant expires_at;     // during a pause: the end without the time of the pause
  Instant grace_ends_at;  // the roles are taken then
  std::optional<Instant> paused_at;
  std::optional<Instant> cancelled_at;  // neither reminders nor grace until the next payment
  std::optional<OrderId> renewal_order_id;
  bool is_trial = false;  // nothing was paid yet
  Metadata metadata{};
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
  Hidden<std::string> member_key;
  Hidden<std::string> group_key;
  Hidden<std::vector<MembershipChange>> changes;
  Hidden<MembershipPeriodId> last_period_id;
  Hidden<std::vector<std::int64_t>> reminder_days;
  Hidden<MembershipRenewal> renewal;
  Hidden<std::optional<Instant>> due_at;  // when the next reminder or the end is due
  Hidden<Currency> currency;
  Hidden<std::int64_t> monthly_cents;  // the price of the plan for a month; 0 during a trial
};
BOOST_DESCRIBE_STRUCT(Membership, (),
                      (id, tenant_id, product_id, status, user_id, customer_id, chat_user_id, started_at, expires_at,
                       grace_ends_at, paused_at, cancelled_at, renewal_order_id, is_trial, metadata, created_at,
                       updated_at, version, member_key, group_key, changes, last_period_id, reminder_days, renewal,
                       due_at, currency, monthly_cents))

struct MembershipPatch {
  using Record = Membership;
  Change<std::optional<MetadataChange>> metadata;
};
BOOST_DESCRIBE_STRUCT(MembershipPatch, (), (metadata))

inline void apply(const MembershipPatch& patch, Membership& membership) {
  apply(patch.metadata, membership.metadata);
}

// An event that reports count.
enum class MembershipFactKind { STARTED, RENEWED, ENDED };
BOOST_DESCRIBE_ENUM(MembershipFactKind, STARTED, RENEWED, ENDED)

struct MembershipFact {
  MembershipFactKind kind = MembershipFactKind::STARTED;
  Instant at;
  std::int64_t value_cents = 0;  // that was paid
};

// The list price of the period's plan for a month. A year has twelve months and 365.2425 days. Nothing for a trial.
std::int64_t monthly_cents_of(const MembershipPeriod& period);

// The plans among which a member has one: the product's group in its currency, or the product alone.
std::string group_key_of(const Product& product);

// The length of `count` periods of a membership.
PeriodLength length_of(const MembershipTerms& terms, std::int64_t count = 1);

// Sets all times and the status from the periods. Without a period the membership has ended.
void set_times(Membership& membership, const std::vector<MembershipPeriod>& periods, Instant now);

// The reminders whose time has come since the last payment, the most urgent one last. None after the end.
std::vector<std::int64_t> reminders_due(const Membership& membership, Instant paid_at, Instant now);

// When there is something to do next: a reminder or the end. Nothing if it is not active.
std::optional<Instant> next_due(const Membership& membership, Instant paid_at, Instant now);

Failure membership_not_active();
Failure membership_not_paused();
Failure plan_not_possible(const std::string& message);
Failure too_many_membership_changes();
Failure too_many_membership_periods();

struct MembershipPayload {
  std::string membership_id;
  std::string product_id;
  std::string status;
  std::string user_id;
  std::optional<std::string> customer_id;
  std::optional<std::string> chat_user_id;
  Instant started_at;
  Instant expires_at;
  Instant grace_ends_at;
  std::optional<std::string> gifted_by;
};
BOOST_DESCRIBE_STRUCT(MembershipPayload, (),
                      (membership_id, product_id, status, user_id, customer_id, chat_user_id, started_at, expires_at,
                       grace_ends_at, gifted_by))
MembershipPayload payload_of(const Membership& membership, const MembershipPeriod* period);

// Somebody has become a member, or has again after the end.
struct MembershipStarted {
  static constexpr std::string_view name = "membership.started";
  const Membership& membership;
  const MembershipPeriod& period;
  MembershipPayload payload() const { return payload_of(membership, &period); }
};

// A membership was extended, or its plan was changed, before its end.
struct MembershipRenewed {
  static constexpr std::string_view name = "membership.renewed";
  const Membership& membership;
  const MembershipPeriod& period;
  MembershipPayload payload() const { return payload_of(membership, &period); }
};

// The plan was changed by an admin, before its end. MembershipRenewed is emitted, too.
struct MembershipPlanChanged {
  static constexpr std::string_view name = "membership.plan_changed";
  const Membership& membership;
  MembershipPayload payload() const { return payload_of(membership, nullptr); }
};

struct MembershipPaused {
  static constexpr std::string_view name = "membership.paused";
  const Membership& membership;
  MembershipPayload payload() const { return payload_of(membership, nullptr); }
};

struct MembershipResumed {
  static constexpr std::string_view name = "membership.resumed";
  const Membership& membership;
  MembershipPayload payload() const { return payload_of(membership, nullptr); }
};

// It stays until its end.
struct MembershipCancelled {
  static constexpr std::string_view name = "membership.cancelled";
  const Membership& membership;
  MembershipPayload payload() const { return payload_of(membership, nullptr); }
};

// A reminder is due.
struct MembershipEnding {
  static constexpr std::string_view name = "membership.ending";
  const Membership& membership;
  MembershipPayload payload() const { return payload_of(membership, nullptr); }
};

struct MembershipEnded {
  static constexpr std::string_view name = "membership.ended";
  const Membership& membership;
  MembershipPayload payload() const { return payload_of(membership, nullptr); }
};

}  // namespace guildhall
