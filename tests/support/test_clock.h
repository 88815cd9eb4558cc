#pragma once

#include "base/clock.h"

namespace guildhall::test {

// Moves the time of this process forward, so that a test need not wait: everything that now() and steady_now() decide
// happens at once (sessions, tokens, links, retries, rate limits, the memory cache). Jobs that search at intervals
// notice it at their next search, so their effects are awaited with `eventually`. Other processes keep their time: an
// entry in Redis does not expire earlier. The destructor restores the real time; one object at a time.
class TestClock {
 public:
  TestClock() = default;
  ~TestClock() { shift_clock(std::chrono::milliseconds(0)); }
  TestClock(const TestClock&) = delete;
  TestClock& operator=(const TestClock&) = delete;

  void advance(std::chrono::milliseconds by) { shift_clock(ahead_ += by); }

 private:
  std::chrono::milliseconds ahead_{0};
};

}  // namespace guildhall::test
