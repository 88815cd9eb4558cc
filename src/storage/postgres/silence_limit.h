#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

namespace guildhall {

// How long a server may send nothing while somebody waits for it. One for all connections of an engine: a server that
// is frozen keeps its connections open, so that only the time tells.
class SilenceLimit {
 public:
  explicit SilenceLimit(std::chrono::milliseconds limit) : limit_(limit) {}

  std::chrono::milliseconds get() const { return limit_.load(std::memory_order_relaxed); }

  // For the end of the process; also holds for those who are waiting already.
  void shorten() {
    stopping_ = true;
    limit_ = std::min(get(), longest_while_stopping);
  }
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

  // How often whoever waits has to look at the limit.
  static constexpr std::chrono::milliseconds between_looks{250};

 private:
  static constexpr std::chrono::milliseconds longest_while_stopping{5'000};

  std::atomic<std::chrono::milliseconds> limit_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace guildhall
