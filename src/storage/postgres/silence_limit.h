#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

namespace guildhall {

// The time that a server may send nothing while a caller waits for it. All connections of an engine share one limit. A
// frozen server keeps its connections open, so it is detected by its silence.
class SilenceLimit {
 public:
  explicit SilenceLimit(std::chrono::milliseconds limit) : limit_(limit) {}

  std::chrono::milliseconds get() const {
    const std::chrono::milliseconds limit = limit_.load(std::memory_order_relaxed);
    return suspect_.load(std::memory_order_relaxed) ? std::min(limit, suspect_limit) : limit;
  }

  // To be called when a connection has exceeded the limit: until another one receives an answer, all wait only briefly.
  // Otherwise each request would wait for the full time.
  void exceeded() { suspect_ = true; }
  void answered() {
    if (suspect_.load(std::memory_order_relaxed)) suspect_ = false;
  }

  // Shortens the limit for the end of the process, also for calls in progress.
  void shorten() {
    stopping_ = true;
    limit_ = std::min(limit_.load(), stopping_limit);
  }
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

  // A caller that waits has to check the limit this often.
  static constexpr std::chrono::milliseconds check_interval{250};

 private:
  static constexpr std::chrono::milliseconds stopping_limit{5'000};
  static constexpr std::chrono::milliseconds suspect_limit{2'000};

  std::atomic<std::chrono::milliseconds> limit_;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> suspect_ = false;
};

}  // namespace guildhall
