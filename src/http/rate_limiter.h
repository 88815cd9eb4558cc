#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/metrics.h"
#include "base/task.h"
#include "cache/cache.h"
#include "http/reply.h"

namespace guildhall::http {

// Requests a minute by key, counted in a fixed window of the shared cache. When the cache does not answer,
// requests pass: a limiter must not become the outage.
class RateLimiter {
 public:
  static constexpr std::chrono::seconds window{60};

  RateLimiter(Cache& cache, Metrics& metrics, bool disabled) : cache_(cache), metrics_(metrics), disabled_(disabled) {}

  struct Verdict {
    bool counted = false;  // false: limiters are off, or the cache does not answer
    bool exceeded = false;
    std::int64_t limit = 0;
    std::int64_t remaining = 0;
    std::int64_t resets_in_seconds = 0;

    void add_headers(Reply& reply) const;
  };

  // `endpoint` is the logical name that the metric and the key carry; `source` what is limited: an address, a
  // tenant.
  Task<Verdict> count(std::string_view endpoint, std::string_view source, std::int64_t limit) const;

 private:
  Cache& cache_;
  Metrics& metrics_;
  bool disabled_;
};

}  // namespace guildhall::http
