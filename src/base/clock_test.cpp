#include "base/clock.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace guildhall
