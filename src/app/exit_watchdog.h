#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace guildhall {

// Ends the process with exit code 70 unless it is destroyed in time: for shutdowns in which something hangs. Committed
// data is safe, since every commit reaches the disk before it is acknowledged.
class ExitWatchdog {
 public:
  static constexpr int exit_code = 70;

  explicit ExitWatchdog(std::chrono::milliseconds time_max);
  ~ExitWatchdog();
  ExitWatchdog(const ExitWatchdog&) = delete;
  ExitWatchdog& operator=(const ExitWatchdog&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace guildhall
