#pragma once

#include <algorithm>
#include <chrono>

#include "base/failure.h"

namespace guildhall {

// Keeps a server that is down from being called for every request: after a failure, requests are refused at
// once for a time that doubles with each further failure.
class BackOff {
 public:
  // Throws Failure unavailable while the time has not passed.
  void check() const {
    if (std::chrono::steady_clock::now() < until_) throw unavailable("The database does not answer.");
  }

  void failed() {
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
