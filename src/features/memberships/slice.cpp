#include "features/slice.h"

#include "features/memberships/membership_actions.h"
#include "features/memberships/membership_job.h"
#include "features/memberships/routes.h"

namespace guildhall {
namespace {

void run_membership_job(const JobFailures& failures, Storage& storage, const Events& events) {
  handle_due_memberships(storage, events, now(), failures);
}

}  // namespace

Slice memberships_slice() {
  return Slice("memberships")
      .table({.name = "memberships",
              .other = "product_id status user_id customer_id renewal_order_id group_key changes "
                       "last_period_id reminder_days renewal currency",
              .personal = "chat_user_id metadata member_key",
              .erased = "chat_user_id = NULL, metadata = '{}', member_key = 'erased/' || id, version = "
                        "version + 1",
              .identifies = true,
              .metadata = "true"})
      .table({.name = "membership_periods",
              .other = "membership_id product_id kind order_id code_id currency time_zone",
              .personal = "gifted_by source_key",
              .erased = "gifted_by = CASE WHEN gifted_by IS NULL THEN NULL ELSE 'erased' END, source_key = "
                        "'erased/' || id"})
      .table({.name = "membership_facts", .other = "currency kind"})
      .table({.name = "membership_reminders", .other = "membership_id period_id"})
      .table({.name = "membership_code_batches"})
      .table({.name = "membership_codes", .other = "product_id status hint note customer_id membership_id code_hash"})
      .routes(membership_routes)
      .routes(membership_code_routes)
      .events<MembershipStarted, MembershipRenewed, MembershipPlanChanged, MembershipPaused, MembershipResumed,
              MembershipCancelled, MembershipEnding, MembershipEnded>()
      .subscribes(subscribe_memberships)
      .job("memberships", std::chrono::seconds(10), run_membership_job);
}

}  // namespace guildhall
