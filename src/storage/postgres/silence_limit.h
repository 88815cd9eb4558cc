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

  std::chrono::milliseconds get() const {
    const std::chrono::milliseconds limit = limit_.load(std::memory_order_relaxed);
    return suspect_.load(std::memory_order_relaxed) ? std::min(limit, longest_for_a_suspect) : limit;
  }

  // One connection has waited in vain: until another gets an answer, nobody waits for long. Otherwise one request after
  // the other would find out for itself.
  void exceeded() { suspect_ = true; }
  void answered() {
    if (suspect_.load(std::memory_order_relaxed)) suspect_ = false;
  }

  // For the end of the process; also holds for those who are waiting already.
  void shorten() {
    stopping_ = true;
    limit_ = std::min(limit_.load(), longest_while_stopping);
  }
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

  // How often whoever waits has to look at the limit.
  static constexpr std::chrono::milliseconds between_looks{250};

 private:
  static constexpr std::chrono::milliseconds longest_while_stopping{5'000};
  static constexpr std::chrono::milliseconds longest_for_a_suspect{2'000};

  std::atomic<std::chrono::milliseconds> limit_;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> suspect_ = false;
};

}  // namespace guildhall
