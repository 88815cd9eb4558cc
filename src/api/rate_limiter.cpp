#include "api/rate_limiter.h"

#include "base/failure.h"
#include "cache/memory/memory_store.h"

namespace guildhall::api {
namespace {

constexpr std::size_t metric_sources_max = 1000;

std::string window_key(const RateLimiter::Limit& limit, std::string_view source) {
  return fmt::format("rate:{}:{}", limit.endpoint, source);
}

}  // namespace

void RateLimiter::Verdict::add_headers(Reply& reply) const {
  const bool other_limit =
      std::ranges::any_of(reply.headers, [](const auto& header) { return header.first == "RateLimit-Reset"; });
  if (!counted || other_limit) return;
  reply.with("RateLimit-Limit", fmt::format("{}", limit));
  reply.with("RateLimit-Remaining", fmt::format("{}", remaining));
  reply.with("RateLimit-Reset", fmt::format("{}", resets_in_seconds));
}

Task<std::optional<Cache::Window>> RateLimiter::counted(const Limit& limit, std::string_view source,
                                                        std::int64_t by) const {
  const std::string key = window_key(limit, source);
  try {
    co_return co_await cache_.count(key, window, by);
  } catch (const Failure&) {
  }
  if (limit.without_cache == nullptr) co_return std::nullopt;
  co_return limit.without_cache->count(key, window, by);
}

Task<RateLimiter::Verdict> RateLimiter::count(const Limit& limit, std::string_view source) const {
  if (disabled_) co_return Verdict{};
  co_return judge(limit, source, co_await counted(limit, source, 1));
}

Task<RateLimiter::Verdict> RateLimiter::count_more(const Limit& limit, std::string_view source,
                                                   std::int64_t more) const {
  if (disabled_) co_return Verdict{};
  const Verdict verdict = judge(limit, source, co_await counted(limit, source, more));
  if (!verdict.exceeded) co_return verdict;
  try {
    co_await cache_.uncount(window_key(limit, source), more);
  } catch (const Failure&) {  // the window ends by itself
  }
  co_return verdict;
}

RateLimiter::Verdict RateLimiter::judge(const Limit& limit, std::string_view source,
                                        const std::optional<Cache::Window>& window) const {
  if (!window) return {};
  const Verdict verdict{.counted = true,
                        .exceeded = window->count > limit.per_minute,
                        .limit = limit.per_minute,
                        .remaining = std::max<std::int64_t>(0, limit.per_minute - window->count),
                        .resets_in_seconds = (window->resets_in.count() + 999) / 1000};
  if (verdict.exceeded) {
    metrics_
        .bounded_counter("rate_limit_exceeded_total", "Requests refused by a rate limit.",
                         {{"endpoint", std::string(limit.endpoint)}}, "source", std::string(source), metric_sources_max)
        .add();
  }
  return verdict;
}

}  // namespace guildhall::api
