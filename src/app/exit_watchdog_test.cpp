#include "app/exit_watchdog.h"

#include <gtest/gtest.h>

#include "base/log.h"

namespace guildhall {
namespace {

TEST(ExitWatchdog, ends_a_process_that_hangs) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        log::configure(log::Level::error, false);
        const ExitWatchdog watchdog(std::chrono::milliseconds(1));
        std::mutex never;
        never.lock();
        std::condition_variable_any().wait(never, [] { return false; });
      },
      ::testing::ExitedWithCode(ExitWatchdog::exit_code), "the shutdown took too long");
}

TEST(ExitWatchdog, lets_a_process_go_on_that_is_done_in_time) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        { const ExitWatchdog watchdog(std::chrono::hours(1)); }
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace guildhall
