#pragma once

#include "base/function_ref.h"
#include "features/entitlements/entitlement_actions.h"
#include "features/memberships/membership.h"
#include "outbox/events.h"

// The actions on memberships. Each runs in the caller's transaction, computes the membership's times again, writes an
// audit entry, brings the entitlements in line and emits the events of membership.h.
namespace guildhall {

// Time that a payment, a trial or a code gives.
struct GivenTime {
  const Product& product;  // must be a membership
  const Holder& holder;
  PeriodKind kind = PeriodKind::PAID;
  PeriodLength length;
  std::int64_t value_cents = 0;
  std::string source_key;  // gives time once
  std::optional<OrderId> order{};
  std::optional<MembershipCodeId> code{};
  std::optional<std::string> gifted_by{};
};

// Returns nothing if the source has given its time already. Throws TOO_MANY_PERIODS.
std::optional<Membership> give_time(const ActionContext& context, const GivenTime& given);

// Gives the periods of a product that a paid order contains, and takes back what an order has given.
void give_time_for_order(const ActionContext& context, const MembershipPaid& paid);
void take_time_of_order(const ActionContext& context, const OrderId& order);

// Throws NO_TRIAL if the product has none, and TRIAL_USED if the member already has, or has had, a membership of these
// plans.
Membership start_trial(const ActionContext& context, const Product& product, const Holder& holder);

// Cancelling keeps the membership until its end. Pausing takes the roles and stops the time until it is resumed.
// `precondition` sees the membership as it was, and may throw. Throws not_found, MEMBERSHIP_NOT_ACTIVE,
// MEMBERSHIP_NOT_PAUSED, TOO_MANY_CHANGES.
Membership change_membership(const ActionContext& context, const MembershipId& id, MembershipChangeKind kind,
                             FunctionRef<void(const Membership&)> precondition);

// Changes what does not concern its time. `edit` may throw. Throws not_found.
Membership describe_membership(const ActionContext& context, const MembershipId& id,
                               FunctionRef<void(Membership&)> edit);

// Changes the plan to another product of the group at once, without a payment: the unused time is credited as for a
// payment. Throws not_found, MEMBERSHIP_NOT_ACTIVE, invalid_field, TOO_MANY_CHANGES, and PLAN_NOT_POSSIBLE for a
// trial.
Membership change_plan(const ActionContext& context, const MembershipId& id, const ProductId& plan,
                       FunctionRef<void(const Membership&)> precondition);

// Sends the reminders of a membership or ends it, if one of these is due. Any number of nodes may call it. Returns
// whether it was due.
bool handle_due_membership(const ActionContext& context, const MembershipId& id);

// Gives time for MembershipPaid, and takes it for OrderRefunded and OrderCancelled.
void subscribe_memberships(Events& events);

}  // namespace guildhall
