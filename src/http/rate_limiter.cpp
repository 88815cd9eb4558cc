#include "http/rate_limiter.h"

#include "base/failure.h"

namespace guildhall::http {
namespace {

constexpr std::size_t metric_sources_max = 1000;

}  // namespace

void RateLimiter::Verdict::add_headers(Reply& reply) const {
  if (!counted) return;
  reply.with("RateLimit-Limit", fmt::format("{}", limit));
  reply.with("RateLimit-Remaining", fmt::format("{}", remaining));
  reply.with("RateLimit-Reset", fmt::format("{}", resets_in_seconds));
}

Task<RateLimiter::Verdict> RateLimiter::count(std::string_view endpoint, std::string_view source,
                                              std::int64_t limit) const {
  if (disabled_) co_return Verdict{};
  Cache::Window counted{};
  try {
    counted = co_await cache_.count(fmt::format("rate:{}:{}", endpoint, source), window);
  } catch (const Failure&) {
    co_return Verdict{};
  }
  const Verdict verdict{.counted = true,
                        .exceeded = counted.count > limit,
                        .limit = limit,
                        .remaining = std::max<std::int64_t>(0, limit - counted.count),
                        .resets_in_seconds = (counted.resets_in.count() + 999) / 1000};
  if (verdict.exceeded) {
    metrics_
        .bounded_counter("rate_limit_exceeded_total", "Requests refused by a rate limit.",
                         {{"endpoint", std::string(endpoint)}}, "source", std::string(source), metric_sources_max)
        .add();
  }
  co_return verdict;
}

}  // namespace guildhall::http
