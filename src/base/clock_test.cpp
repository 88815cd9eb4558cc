#include "base/clock.h"

#include <gtest/gtest.h>

#include "support/test_clock.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;

class Clock : public ::testing::Test {
 protected:
  void TearDown() override { follow_local_clock(); }
};

TEST_F(Clock, follows_a_shared_clock_that_differs) {
  for (const auto difference : {24h, -24h, 24h}) {
    const Instant shared = local_now() + difference;
    follow_clock(shared);
    EXPECT_GE(now(), shared);
    const Instant followed = now();
    EXPECT_LE(followed, local_now() + difference + clock_tolerance);
  }
  follow_clock(local_now());
  const Instant back = now();
  EXPECT_LE(back, local_now() + clock_tolerance);
}

TEST_F(Clock, leaves_small_differences_alone) {
  follow_clock(local_now() + 900ms);
  const Instant followed = now();
  EXPECT_LE(followed, local_now() + 1ms) << "the part of a millisecond that was cut";
}

TEST_F(Clock, moves_on_with_a_test_and_returns_to_the_real_time_after_it) {
  const auto steady = steady_now();
  {
    test::TestClock clock;
    clock.advance(1h);
    clock.advance(1h);
    const Instant moved = now();
    EXPECT_GE(moved, local_now() + 2h - 1s);
    EXPECT_GE(steady_now(), steady + 2h);
    follow_clock(local_now() + 24h);
    EXPECT_GE(now(), local_now() + 26h - 1s) << "a shared clock is followed from there";
    follow_local_clock();
  }
  const Instant back = now();
  EXPECT_LE(back, local_now());
  EXPECT_LT(steady_now(), steady + 1h);
}

}  // namespace
}  // namespace guildhall
