#pragma once

#include <cstdint>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of orders.
struct OrderConfig {
  std::int64_t order_expiry_minutes = 0;  // 0: unpaid orders never expire

  static std::vector<VariableOf<OrderConfig>> variables();
};

}  // namespace guildhall
