#include "api/rate_limiter.h"

#include "base/failure.h"
#include "cache/memory/memory_store.h"

namespace guildhall::api {
namespace {

constexpr std::size_t metric_sources_max = 1000;

}  // namespace

void RateLimiter::Verdict::add_headers(Reply& reply) const {
  if (!counted) return;
  reply.with("RateLimit-Limit", fmt::format("{}", limit));
  reply.with("RateLimit-Remaining", fmt::format("{}", remaining));
  reply.with("RateLimit-Reset", fmt::format("{}", resets_in_seconds));
}

Task<std::optional<Cache::Window>> RateLimiter::counted(const Limit& limit, std::string_view source) const {
  const std::string key = fmt::format("rate:{}:{}", limit.endpoint, source);
  try {
    co_return co_await cache_.count(key, window);
  } catch (const Failure&) {
  }
  if (limit.without_cache == nullptr) co_return std::nullopt;
  co_return limit.without_cache->count(key, window);
}

Task<RateLimiter::Verdict> RateLimiter::count(const Limit& limit, std::string_view source) const {
  if (disabled_) co_return Verdict{};
  const auto counted_now = co_await counted(limit, source);
  if (!counted_now) co_return Verdict{};
  const Verdict verdict{.counted = true,
                        .exceeded = counted_now->count > limit.per_minute,
                        .limit = limit.per_minute,
                        .remaining = std::max<std::int64_t>(0, limit.per_minute - counted_now->count),
                        .resets_in_seconds = (counted_now->resets_in.count() + 999) / 1000};
  if (verdict.exceeded) {
    metrics_
        .bounded_counter("rate_limit_exceeded_total", "Requests refused by a rate limit.",
                         {{"endpoint", std::string(limit.endpoint)}}, "source", std::string(source), metric_sources_max)
        .add();
  }
  co_return verdict;
}

}  // namespace guildhall::api
