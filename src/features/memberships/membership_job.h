#pragma once

#include "outbox/events.h"
#include "storage/storage.h"

namespace guildhall {

// Sends the reminders and ends the memberships that are due, each in its own transaction. Any number of nodes may run
// it. Returns how many were handled.
std::int64_t handle_due_memberships(Storage& storage, const Events& events, Instant now);

}  // namespace guildhall
