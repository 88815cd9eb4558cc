#include "api/api_config.h"

#include "base/config_values.h"

namespace guildhall::api {

std::vector<VariableOf<ApiConfig>> ApiConfig::variables() {
  return {
      {"LOG_REQUESTS", "1", &ApiConfig::log_requests, parse_share,
       "The share of requests that is logged at level `info`, from 0 (none) to 1 (all); answers of 500 and above "
       "always are."},
      {"RATE_LIMIT_DISABLED", "false", &ApiConfig::rate_limit_disabled, parse_bool,
       "Switches all rate limiters off; for tests only."},
      {"RATE_LIMIT_TENANT_PER_MIN", "1000", &ApiConfig::rate_limit_tenant_per_min, parse_rate_per_minute,
       "Requests a minute of one tenant to the routes that need a permission in it."},
  };
}

}  // namespace guildhall::api
