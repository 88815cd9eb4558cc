#include "app/loop_probe.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(LoopProbe, tells_a_loop_that_runs_from_one_that_hangs) {
  boost::asio::io_context loop;
  LoopProbe probe(loop);
  EXPECT_TRUE(probe.answered());
  EXPECT_FALSE(probe.answered()) << "the loop does not run";
  EXPECT_FALSE(probe.answered());
  loop.poll();
  EXPECT_TRUE(probe.answered());
  loop.restart();
  loop.poll();
  EXPECT_TRUE(probe.answered());
}

}  // namespace
}  // namespace guildhall
