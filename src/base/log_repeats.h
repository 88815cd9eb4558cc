#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"

namespace guildhall::log {

// Counts how often each message is logged, in windows of ten seconds. Safe to use from several threads. Memory is
// bounded: when two messages share a slot, the later one replaces the other.
class Repeats {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds window{10};

  struct Summary {
    Level level = Level::info;
    std::string message;
    std::uint64_t suppressed = 0;
  };

  // Returns whether the line may be written. `passed` receives the summary of a window that has ended in this message's
  // slot.
  bool admit(Level level, std::string_view message, Time now, std::vector<Summary>& passed);

  // The summaries of windows that have ended by then; each is returned once.
  std::vector<Summary> passed_windows(Time now);

 private:
  struct Slot {
    Level level = Level::info;
    std::string message;
    Time start{};
    std::uint64_t lines = 0;
  };
  static void close(Slot& slot, std::vector<Summary>& passed);

  std::mutex mutex_;
  std::array<Slot, 256> slots_;
};

}  // namespace guildhall::log
