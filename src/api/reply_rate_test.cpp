#include "api/reply_rate.h"

#include <gtest/gtest.h>

namespace guildhall::api {
namespace {

using namespace std::chrono_literals;

const ReplyRate::Clock::time_point start{};

TEST(ReplyRate, lets_a_burst_pass_and_then_the_rate) {
  ReplyRate rate(1000, 4000);
  EXPECT_EQ(rate.wait("shop", start), 0ms) << "an unknown tenant has a full bucket";
  rate.charge("shop", 3999, start);
  EXPECT_EQ(rate.wait("shop", start), 0ms) << "one byte is left";
  rate.charge("shop", 2000, start);
  const auto wait = rate.wait("shop", start);
  EXPECT_GE(wait, 2000ms);
  EXPECT_LE(wait, 2010ms);
  EXPECT_EQ(rate.wait("shop", start + wait), 0ms);
}

TEST(ReplyRate, counts_each_tenant_alone) {
  ReplyRate rate(1000, 4000);
  rate.charge("shop", 100'000, start);
  EXPECT_GT(rate.wait("shop", start), 0ms);
  EXPECT_EQ(rate.wait("neighbour", start), 0ms);
}

TEST(ReplyRate, never_fills_a_bucket_beyond_the_burst) {
  ReplyRate rate(1000, 4000);
  rate.charge("shop", 1, start);
  rate.charge("shop", 4000, start + 24h);
  EXPECT_GT(rate.wait("shop", start + 24h), 0ms);
}

TEST(ReplyRate, makes_nobody_wait_longer_than_a_minute) {
  ReplyRate rate(1000, 4000);
  for (int i = 0; i < 100; ++i) rate.charge("shop", 1 << 20, start);
  EXPECT_LE(rate.wait("shop", start), 61s);
}

TEST(ReplyRate, limits_nothing_without_a_rate) {
  ReplyRate rate(0, 0);
  rate.charge("shop", 1 << 30, start);
  EXPECT_EQ(rate.wait("shop", start), 0ms);
}

TEST(ReplyRate, forgets_tenants_whose_bucket_is_full_again) {
  ReplyRate rate(1000, 4000);
  for (int i = 0; i < 5000; ++i) rate.charge("shop-" + std::to_string(i), 1, start + i * 10ms);
  rate.charge("shop-0", 4000, start + 50s);
  EXPECT_GT(rate.wait("shop-0", start + 50s), 0ms);
}

}  // namespace
}  // namespace guildhall::api
