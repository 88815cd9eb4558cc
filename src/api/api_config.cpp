#include "api/api_config.h"

#include "base/config_values.h"

namespace guildhall::api {

std::vector<VariableOf<ApiConfig>> ApiConfig::variables() {
  return {
      {"LOG_REQUESTS", "all", &ApiConfig::log_requests, parse_sample,
       "The requests that are logged: `all`, a share such as `1/100`, or `off`. With a share, answers of 500 and above "
       "and slow requests are always logged."},
      {"SLOW_REQUEST_MS", "1000", &ApiConfig::slow_request_ms, integer(1, 3'600'000),
       "A request that takes this long is slow, and is logged as a warning."},
      {"RATE_LIMIT_DISABLED", "false", &ApiConfig::rate_limit_disabled, parse_bool,
       "Switches all rate limiters off; for tests only."},
      {"RATE_LIMIT_TENANT_PER_MIN", "1000", &ApiConfig::rate_limit_tenant_per_min, parse_rate_per_minute,
       "Requests a minute of one tenant to the routes that need a permission in it."},
  };
}

}  // namespace guildhall::api
