#pragma once

#include <cstdint>
#include <vector>

#include "base/config.h"

namespace guildhall::outbox {

// The configuration of the outbox.
struct OutboxConfig {
  std::int64_t outbox_threads = 0;
  std::int64_t outbox_lease_seconds = 0;
  std::int64_t outbox_retention_days = 0;
  std::int64_t outbox_dead_retention_days = 0;

  static std::vector<VariableOf<OutboxConfig>> variables();
};

}  // namespace guildhall::outbox
