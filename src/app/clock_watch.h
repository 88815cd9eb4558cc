#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "app/periodic.h"
#include "storage/storage.h"

namespace guildhall {

// Makes now() follow PostgreSQL's clock, which all nodes share, and warns in the log when this machine's clock differs
// from it (/readyz shows the same). SQLite's clock is this machine's.
class ClockWatch {
 public:
  static constexpr std::chrono::seconds difference_max{5};  // a larger one is worth a warning
  static constexpr std::chrono::seconds pause{5};

  // Measures once, and then every few seconds on a thread of its own. Throws what the storage throws the first time.
  explicit ClockWatch(Storage& storage);

  // How far this machine's clock is ahead of the database's. Any thread.
  std::chrono::milliseconds difference() const { return std::chrono::milliseconds(ahead_ms_); }

 private:
  void measure();
  void warn_once_if_large();

  Storage& storage_;
  std::atomic<std::int64_t> ahead_ms_ = 0;
  bool warned_ = false;
  std::optional<Periodic> periodic_;
};

}  // namespace guildhall
