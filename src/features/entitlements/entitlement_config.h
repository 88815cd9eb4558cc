#pragma once

#include <cstdint>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of entitlements.
struct EntitlementConfig {
  std::int64_t entitlement_check_minutes = 0;

  static std::vector<VariableOf<EntitlementConfig>> variables();
};

}  // namespace guildhall
