#pragma once

#include <atomic>
#include <chrono>

namespace guildhall {

// The time of the last successful writing transaction, unless one has failed since. Safe to use from several threads.
class LastCommit {
 public:
  void succeeded() { at_.store(now(), std::memory_order_relaxed); }
  void failed() { at_.store(never, std::memory_order_relaxed); }

  bool is_within(std::chrono::milliseconds time) const {
    const auto at = at_.load(std::memory_order_relaxed);
    return at != never && now() - at <= std::chrono::nanoseconds(time).count();
  }

 private:
  using Nanoseconds = std::chrono::steady_clock::rep;
  static constexpr Nanoseconds never = 0;

  static Nanoseconds now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

  std::atomic<Nanoseconds> at_ = never;
};

}  // namespace guildhall
