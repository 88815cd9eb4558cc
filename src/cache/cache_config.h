#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of the cache.
struct CacheConfig {
  std::string cache_url;
  std::int64_t cache_timeout_ms = 0;

  static std::vector<VariableOf<CacheConfig>> variables();
};

}  // namespace guildhall
