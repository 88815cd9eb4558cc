#include "cache/cache_probe.h"

#include "base/failure.h"

namespace guildhall {

Task<CacheState> probe(Cache& cache) {
  constexpr std::string_view key = "probe";
  try {
    co_await cache.put(key, "1", std::chrono::minutes(1));
    co_return CacheState::ok;
  } catch (const Failure&) {
  }
  try {
    co_await cache.get(key);
    co_return CacheState::read_only;
  } catch (const Failure&) {
  }
  co_return CacheState::down;
}

}  // namespace guildhall
