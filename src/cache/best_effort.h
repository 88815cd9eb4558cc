#pragma once

#include "base/task.h"

namespace guildhall {

// Awaits a cache operation that the request can do without (refreshing, indexing, cleaning up). When the cache is
// unavailable it logs a warning and returns, so that a request that is otherwise allowed does not fail.
Task<> best_effort(Task<> operation);

}  // namespace guildhall
