#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/clock.h"

namespace guildhall::api {

// Limits the bytes per second of list pages for each tenant, as a token bucket. A page costs processor time and
// bandwidth in proportion to its size, which a limit on the number of requests does not take into account. Thread-safe;
// one object for all loops.
class ReplyRate {
 public:
  using Clock = std::chrono::steady_clock;

  // A rate of 0 means no limit.
  ReplyRate(std::int64_t bytes_per_second, std::int64_t burst_bytes)
      : bytes_per_second_(bytes_per_second), burst_bytes_(burst_bytes) {}

  // Admits a page and takes `estimate_bytes` from the bucket, so that pages that are read at the same time count
  // immediately. Returns zero, or the time that the tenant has to wait if the bucket is empty.
  std::chrono::milliseconds begin_page(std::string_view tenant, Clock::time_point now = steady_now());

  // Replaces the estimate of an admitted page by its size; the bucket may fall below zero.
  void end_page(std::string_view tenant, std::size_t bytes, Clock::time_point now = steady_now());

  static constexpr std::int64_t estimate_bytes = 1024 * 1024;

 private:
  struct Bucket {
    std::int64_t bytes;
    Clock::time_point at;
  };
  std::int64_t bytes_at(const Bucket& bucket, Clock::time_point now) const;
  void take(std::string_view tenant, std::int64_t bytes, Clock::time_point now);

  const std::int64_t bytes_per_second_;
  const std::int64_t burst_bytes_;
  std::mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_;  // only buckets that are not full
};

}  // namespace guildhall::api
