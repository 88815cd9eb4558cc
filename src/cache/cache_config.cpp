#include "cache/cache_config.h"

#include "base/config_values.h"

namespace guildhall {

std::vector<VariableOf<CacheConfig>> CacheConfig::variables() {
  return {
      {"CACHE_URL", "memory:", &CacheConfig::cache_url, text_with_prefix({"memory:", "redis://"}),
       "`memory:` or `redis://[user:password@]host[:port][/db]`.", Exposure::url},
      {"CACHE_TIMEOUT_MS", "500", &CacheConfig::cache_timeout_ms, integer(10, 10'000),
       "A reply of Redis that takes longer counts as no reply, 10 to 10000."},
  };
}

}  // namespace guildhall
