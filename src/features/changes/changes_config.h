#pragma once

#include <cstdint>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of live changes.
struct ChangesConfig {
  std::int64_t change_streams_max = 0;
  std::int64_t change_streams_per_tenant = 0;
  std::int64_t change_heartbeat_seconds = 0;

  static std::vector<VariableOf<ChangesConfig>> variables();
};

}  // namespace guildhall
