#include "cache/cache.h"

#include <stdexcept>

#include "base/failure.h"
#include "base/log.h"
#include "cache/memory/memory_cache.h"
#include "cache/redis/redis_cache.h"
#include "cache/redis/redis_url.h"

namespace guildhall {

std::unique_ptr<CacheEngine> open_cache(const CacheOptions& options) {
  if (options.url == "memory:") return open_memory_cache(options);
  if (options.url.starts_with("redis://")) return open_redis_cache(parse_redis_url(options.url), options);
  if (options.url.starts_with("rediss://")) {
    throw std::runtime_error(
        "CACHE_URL: rediss:// (Redis over TLS) is not supported; use redis:// over a private network or a "
        "tunnel.");
  }
  // The URL may contain a password, so it is not part of the message.
  throw std::runtime_error("CACHE_URL must be memory: or redis://[[user]:password@]host[:port][/db].");
}

Task<> best_effort(Task<> operation) {
  try {
    co_await std::move(operation);
  } catch (const Failure& failure) {
    if (failure.kind != Failure::Kind::unavailable) throw;
    log::warn("A cache operation failed that the request could do without.", {{"reason", failure.what()}});
  }
}

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
