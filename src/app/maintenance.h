#pragma once

#include "app/config.h"
#include "base/job_failures.h"
#include "storage/storage.h"

namespace guildhall {

// Deletes expired rows, in small transactions, and queues the comparison of roles with the chat server. A step that
// fails does not stop the others. Any number of nodes may run it.
void maintain(Storage& storage, const Config& config, Instant now, const JobFailures& failures);

}  // namespace guildhall
