#pragma once

#include <cstdint>
#include <vector>

#include "base/config.h"

namespace guildhall::api {

// The configuration of all routes.
struct ApiConfig {
  double log_requests = 0;  // the share of requests that is logged, 0 to 1
  bool rate_limit_disabled = false;
  std::int64_t rate_limit_tenant_per_min = 0;

  static std::vector<VariableOf<ApiConfig>> variables();
};

}  // namespace guildhall::api
