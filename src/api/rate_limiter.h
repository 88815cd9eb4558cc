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

// Limits the requests per minute of a source, counted in a fixed window of the shared cache. When the cache does not
// answer, requests are allowed, so that a broken cache does not stop the API.
class RateLimiter {
 public:
  static constexpr std::chrono::seconds window{60};

  RateLimiter(Cache& cache, Metrics& metrics, bool disabled) : cache_(cache), metrics_(metrics), disabled_(disabled) {}

  struct Limit {
    std::string_view endpoint;  // the logical name in the metric and in the cache key
    std::int64_t per_minute;
    MemoryStore* without_cache = nullptr;  // used while the cache does not answer; null: requests are allowed
  };

  struct Verdict {
    bool counted = false;  // false: limits are disabled, or the cache does not answer
    bool exceeded = false;
    std::int64_t limit = 0;
    std::int64_t remaining = 0;
    std::int64_t resets_in_seconds = 0;

    // Does nothing if the reply names another limit already, which has refused the request.
    void add_headers(Reply& reply) const;
  };

  // `source` is the address, tenant or user whose requests are limited.
  Task<Verdict> count(const Limit& limit, std::string_view source) const;

  // Counts a request that has been counted as one as `more` requests more. If they exceed the limit, they are not
  // counted, so that the source can go on with smaller requests.
  Task<Verdict> count_more(const Limit& limit, std::string_view source, std::int64_t more) const;

 private:
  Task<std::optional<Cache::Window>> counted(const Limit& limit, std::string_view source, std::int64_t by) const;
  Verdict judge(const Limit& limit, std::string_view source, const std::optional<Cache::Window>& window) const;

  Cache& cache_;
  Metrics& metrics_;
  bool disabled_;
};

}  // namespace guildhall::api
