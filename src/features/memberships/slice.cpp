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
      .routes(membership_routes)
      .routes(membership_code_routes)
      .events<MembershipStarted, MembershipRenewed, MembershipPlanChanged, MembershipPaused, MembershipResumed,
              MembershipCancelled, MembershipEnding, MembershipEnded>()
      .subscribes(subscribe_memberships)
      .job("memberships", std::chrono::seconds(10), run_membership_job);
}

}  // namespace guildhall
