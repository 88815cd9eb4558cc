#pragma once

#include "base/job_failures.h"
#include "outbox/events.h"
#include "storage/storage.h"

namespace guildhall {

// Cancels the orders that were not paid in time, each in its own transaction. An order that cannot be cancelled, or
// not even be read, is skipped until the next run. Any number of nodes may run it. Returns the number of cancelled
// orders.
std::int64_t expire_unpaid_orders(Storage& storage, const Events& events, std::int64_t default_minutes, Instant now,
                                  const JobFailures& failures = {});

}  // namespace guildhall
