#include "features/memberships/membership_job.h"

#include "base/log.h"
#include "features/memberships/membership_actions.h"
#include "features/memberships/membership_store.h"

namespace guildhall {
namespace {

constexpr std::int64_t memberships_a_step = 100;
constexpr std::chrono::minutes retry_after{10};

const Actor membership_job{ActorKind::SYSTEM, "memberships", ""};

// A membership that cannot be handled is tried again later, so that it does not delay the others.
bool handle(Storage& storage, const Events& events, const DueMembership& due, Instant now) {
  bool was_due = false;
  try {
    storage.write_now([&](Tx& tx) {
      was_due = handle_due_membership({tx, events, due.tenant, membership_job, now}, due.id);
    });
  } catch (const std::exception& error) {
    log::warn("a membership could not be reminded or ended; it will be tried again",
              {{"tenant", due.tenant.text()}, {"membership", due.id.text()}, {"error", error.what()}});
    storage.write_now([&](Tx& tx) { postpone_membership(tx, due, now + retry_after); });
  }
  return was_due;
}

}  // namespace

std::int64_t handle_due_memberships(Storage& storage, const Events& events, Instant now) {
  std::int64_t handled = 0;
  std::vector<DueMembership> due;
  do {
    storage.read_now([&](Tx& tx) { due = tx.all(due_memberships(now, memberships_a_step)); });
    for (const DueMembership& each : due) handled += handle(storage, events, each, now) ? 1 : 0;
  } while (due.size() == static_cast<std::size_t>(memberships_a_step));
  return handled;
}

}  // namespace guildhall
