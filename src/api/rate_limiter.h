#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/metrics.h"
#include "base/task.h"
#include "cache/cache.h"
#include "http/reply.h"

namespace guildhall {
class MemoryStore;
}

namespace guildhall::api {

using http::Reply;

// Requests a minute by key, counted in a fixed window of the shared cache. When the cache does not answer,
// requests pass: a limiter must not become the outage.
class RateLimiter {
 public:
  static constexpr std::chrono::seconds window{60};

  RateLimiter(Cache& cache, Metrics& metrics, bool disabled) : cache_(cache), metrics_(metrics), disabled_(disabled) {}

  struct Limit {
    std::string_view endpoint;  // the logical name that the metric and the key carry
    std::int64_t per_minute;
    MemoryStore* without_cache = nullptr;  // counts while the cache does not answer; null: requests pass then
  };

  struct Verdict {
    bool counted = false;  // false: limiters are off, or the cache does not answer
    bool exceeded = false;
    std::int64_t limit = 0;
    std::int64_t remaining = 0;
    std::int64_t resets_in_seconds = 0;

    void add_headers(Reply& reply) const;
  };

  // `source` is what is limited: an address, a tenant, a user.
  Task<Verdict> count(const Limit& limit, std::string_view source) const;

 private:
  Task<std::optional<Cache::Window>> counted(const Limit& limit, std::string_view source) const;

  Cache& cache_;
  Metrics& metrics_;
  bool disabled_;
};

}  // namespace guildhall::api
