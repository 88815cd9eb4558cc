#pragma once

#include "base/job_failures.h"
#include "outbox/events.h"
#include "storage/storage.h"

namespace guildhall {

// Sends the reminders and ends the memberships that are due, each in its own transaction. One that cannot be handled,
// or not even be read, is tried again later. Any number of nodes may run it. Returns how many were handled.
std::int64_t handle_due_memberships(Storage& storage, const Events& events, Instant now,
                                    const JobFailures& failures = {});

}  // namespace guildhall
