#pragma once

#include <algorithm>
#include <chrono>

namespace guildhall {

// Limits the attempts to connect to a server that is down: after a failure, no attempt is made for a time that doubles
// with each further failure.
class BackOff {
 public:
  bool is_waiting() const { return std::chrono::steady_clock::now() < until_; }

  // True when the last attempt failed.
  bool is_failing() const { return wait_.count() > 0; }

  // Attempts that began at the same time and failed together count as one.
  void failed() {
    if (is_waiting()) return;
    wait_ = std::clamp(wait_ * 2, shortest, longest);
    until_ = std::chrono::steady_clock::now() + wait_;
  }

  void succeeded() { *this = {}; }

 private:
  static constexpr std::chrono::milliseconds shortest{100};
  static constexpr std::chrono::milliseconds longest{3'000};

  std::chrono::milliseconds wait_{0};
  std::chrono::steady_clock::time_point until_{};
};

}  // namespace guildhall
