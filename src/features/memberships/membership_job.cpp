#include "features/memberships/membership_job.h"

#include "features/memberships/membership_actions.h"
#include "features/memberships/membership_store.h"

namespace guildhall {
namespace {

constexpr std::int64_t memberships_a_step = 100;
constexpr std::chrono::minutes retry_after{10};

const Actor membership_job{ActorKind::SYSTEM, "memberships", ""};

struct Handled {
  bool was_due = false;
  bool is_settled = true;  // it is not found again in this run
};

// A membership that cannot be handled is tried again later, so that it does not delay the others.
Handled handle(Storage& storage, const Events& events, const DueMembership& due, Instant now,
               const JobFailures& failures) {
  const JobFailures::Part part{due.tenant.text(), due.id.text()};
  Handled result;
  const bool succeeded = failures.attempt(part, [&] {
    storage.write_now([&](Tx& tx) {
      result.was_due = handle_due_membership({tx, events, due.tenant, membership_job, now}, due.id);
    });
  });
  if (!succeeded) {
    result.is_settled = failures.attempt(
        part, [&] { storage.write_now([&](Tx& tx) { postpone_membership(tx, due, now + retry_after); }); });
  }
  return result;
}

}  // namespace

std::int64_t handle_due_memberships(Storage& storage, const Events& events, Instant now, const JobFailures& failures) {
  std::int64_t handled = 0;
  std::vector<DueMembership> due;
  bool progresses = true;
  do {
    storage.read_now([&](Tx& tx) { due = tx.all(due_memberships(now, memberships_a_step)); });
    progresses = false;
    for (const DueMembership& each : due) {
      const auto [was_due, is_settled] = handle(storage, events, each, now, failures);
      handled += was_due ? 1 : 0;
      progresses = progresses || is_settled;
    }
  } while (progresses && due.size() == static_cast<std::size_t>(memberships_a_step));
  return handled;
}

}  // namespace guildhall
