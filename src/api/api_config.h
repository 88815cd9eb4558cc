#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/config.h"

namespace guildhall::api {

// The configuration of all routes.
struct ApiConfig {
  std::optional<double> log_requests = 1;  // the share of requests that is logged; nothing: none at all
  std::int64_t slow_request_ms = 0;        // requests that take longer are always logged
  bool rate_limit_disabled = false;
  std::int64_t rate_limit_tenant_per_min = 0;

  static std::vector<VariableOf<ApiConfig>> variables();
};

}  // namespace guildhall::api
