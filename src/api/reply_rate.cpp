#include "api/reply_rate.h"

#include <algorithm>

namespace guildhall::api {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t sweep_at = 1024;  // the number of buckets from which on full ones are removed
constexpr milliseconds wait_max{60'000};

}  // namespace

std::int64_t ReplyRate::bytes_at(const Bucket& bucket, Clock::time_point now) const {
  const std::int64_t passed = std::chrono::duration_cast<milliseconds>(now - bucket.at).count();
  const std::int64_t refill_ms_max = (burst_bytes_ - bucket.bytes) * 1000 / bytes_per_second_ + 1;
  return std::min(burst_bytes_, bucket.bytes + std::min(passed, refill_ms_max) * bytes_per_second_ / 1000);
}

milliseconds ReplyRate::begin_page(std::string_view tenant, Clock::time_point now) {
  if (bytes_per_second_ == 0) return {};
  const std::lock_guard lock(mutex_);
  const auto found = buckets_.find(std::string(tenant));
  const std::int64_t bytes = found == buckets_.end() ? burst_bytes_ : bytes_at(found->second, now);
  if (bytes <= 0) return milliseconds((1 - bytes) * 1000 / bytes_per_second_ + 1);
  take(tenant, estimate_bytes, now);
  return {};
}

void ReplyRate::end_page(std::string_view tenant, std::size_t bytes, Clock::time_point now) {
  if (bytes_per_second_ == 0) return;
  const std::lock_guard lock(mutex_);
  take(tenant, static_cast<std::int64_t>(bytes) - estimate_bytes, now);
}

// A negative amount is added to the bucket.
void ReplyRate::take(std::string_view tenant, std::int64_t bytes, Clock::time_point now) {
  if (buckets_.size() >= sweep_at) {
    std::erase_if(buckets_, [&](const auto& each) { return bytes_at(each.second, now) >= burst_bytes_; });
  }
  Bucket& bucket = buckets_.try_emplace(std::string(tenant), Bucket{burst_bytes_, now}).first->second;
  const std::int64_t least = -bytes_per_second_ * wait_max.count() / 1000;
  bucket = {std::clamp(bytes_at(bucket, now) - bytes, least, burst_bytes_), now};
}

}  // namespace guildhall::api
