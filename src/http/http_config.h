#pragma once

#include <cstdint>
#include <vector>

#include "base/address.h"
#include "base/config.h"

namespace guildhall::http {

// The configuration of the listener.
struct HttpConfig {
  Address listen;
  std::vector<AddressRange> trusted_proxies;
  std::int64_t request_timeout_ms = 0;

  static std::vector<VariableOf<HttpConfig>> variables();
};

}  // namespace guildhall::http
