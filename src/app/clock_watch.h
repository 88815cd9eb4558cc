#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>

#include "app/periodic.h"
#include "storage/storage.h"

namespace guildhall {

// Makes now() follow PostgreSQL's clock, which all nodes share, and warns when this machine's clock differs from it.
// SQLite's clock is this machine's.
class ClockWatch {
 public:
  static constexpr std::chrono::seconds difference_max{5};  // a larger one causes a warning
  static constexpr std::chrono::seconds pause{5};

  // Measures once, and then every few seconds on a thread of its own. Throws what the storage throws the first time.
  ClockWatch(Storage& storage, Metrics& metrics);

  // How far this machine's clock is ahead of the database's.
  std::chrono::milliseconds difference() const { return std::chrono::milliseconds(ahead_ms_); }

  // One sentence for the operator while the difference is above difference_max. Any thread.
  std::optional<std::string> warning() const;

 private:
  void measure();

  Storage& storage_;
  std::atomic<std::int64_t> ahead_ms_ = 0;
  bool warned_ = false;  // the warning has been logged since the difference became large
  std::optional<Periodic> periodic_;
};

}  // namespace guildhall
