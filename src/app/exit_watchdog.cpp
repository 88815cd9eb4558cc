#include "app/exit_watchdog.h"

#include <cstdlib>

#include "base/log.h"

namespace guildhall {

ExitWatchdog::ExitWatchdog(std::chrono::milliseconds time_max)
    : thread_([this, time_max] {
        std::unique_lock lock(mutex_);
        if (wake_.wait_for(lock, time_max, [this] { return done_; })) return;
        log::error("the shutdown took too long: the process exits", {{"milliseconds", time_max.count()}});
        std::_Exit(exit_code);
      }) {}

ExitWatchdog::~ExitWatchdog() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
    wake_.notify_one();
  }
  thread_.join();
}

}  // namespace guildhall
