#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace guildhall::api {

// Limits the bytes per second of list pages for each tenant, as a token bucket. A page costs processor time and
// bandwidth by its size, which a limit on the number of requests does not see. Thread-safe; one for all loops.
class ReplyRate {
 public:
  using Clock = std::chrono::steady_clock;

  // Without a rate (0), nothing is limited.
  ReplyRate(std::int64_t bytes_per_second, std::int64_t burst_bytes)
      : bytes_per_second_(bytes_per_second), burst_bytes_(burst_bytes) {}

  // How long the tenant has to wait until its next page; zero: it may read one now.
  std::chrono::milliseconds wait(std::string_view tenant, Clock::time_point now = Clock::now());

  // Called when a page has been made. The bucket may fall below zero: a page's size is known only afterwards.
  void charge(std::string_view tenant, std::size_t bytes, Clock::time_point now = Clock::now());

 private:
  struct Bucket {
    std::int64_t bytes;
    Clock::time_point at;
  };
  std::int64_t bytes_at(const Bucket& bucket, Clock::time_point now) const;

  const std::int64_t bytes_per_second_;
  const std::int64_t burst_bytes_;
  std::mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_;  // of tenants whose bucket is not full
};

}  // namespace guildhall::api
