#include "api/reply_rate.h"

#include <algorithm>

namespace guildhall::api {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t sweep_at = 1024;  // buckets; full ones are removed from here on
constexpr milliseconds wait_max{60'000};

}  // namespace

std::int64_t ReplyRate::bytes_at(const Bucket& bucket, Clock::time_point now) const {
  const std::int64_t passed = std::chrono::duration_cast<milliseconds>(now - bucket.at).count();
  const std::int64_t refill_ms_max = (burst_bytes_ - bucket.bytes) * 1000 / bytes_per_second_ + 1;
  return std::min(burst_bytes_, bucket.bytes + std::min(passed, refill_ms_max) * bytes_per_second_ / 1000);
}

milliseconds ReplyRate::wait(std::string_view tenant, Clock::time_point now) {
  if (bytes_per_second_ == 0) return {};
  const std::lock_guard lock(mutex_);
  const auto found = buckets_.find(std::string(tenant));
  if (found == buckets_.end()) return {};
  const std::int64_t bytes = bytes_at(found->second, now);
  return bytes > 0 ? milliseconds(0) : milliseconds((1 - bytes) * 1000 / bytes_per_second_ + 1);
}

void ReplyRate::charge(std::string_view tenant, std::size_t bytes, Clock::time_point now) {
  if (bytes_per_second_ == 0) return;
  const std::lock_guard lock(mutex_);
  if (buckets_.size() >= sweep_at) {
    std::erase_if(buckets_, [&](const auto& each) { return bytes_at(each.second, now) >= burst_bytes_; });
  }
  Bucket& bucket = buckets_.try_emplace(std::string(tenant), Bucket{burst_bytes_, now}).first->second;
  const std::int64_t least = -bytes_per_second_ * wait_max.count() / 1000;
  bucket = {std::max(least, bytes_at(bucket, now) - static_cast<std::int64_t>(bytes)), now};
}

}  // namespace guildhall::api
