#include "http/http_config.h"

#include "base/config_values.h"

namespace guildhall::http {

std::vector<VariableOf<HttpConfig>> HttpConfig::variables() {
  return {
      {"LISTEN_ADDR", "127.0.0.1:8080", &HttpConfig::listen, parse_address, "Where the API listens, `host:port`."},
      {"TRUSTED_PROXIES", "", &HttpConfig::trusted_proxies, parse_address_ranges,
       "Addresses or CIDR ranges, comma-separated, whose `X-Forwarded-For` is trusted."},
      {"REQUEST_TIMEOUT_MS", "30000", &HttpConfig::request_timeout_ms, integer(100, 600'000),
       "A request that takes longer is answered with 503, 100 to 600000."},
  };
}

}  // namespace guildhall::http
