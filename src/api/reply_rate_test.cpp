#include "api/reply_rate.h"

#include <gtest/gtest.h>

namespace guildhall::api {
namespace {

using namespace std::chrono_literals;

const ReplyRate::Clock::time_point start{};

constexpr std::int64_t mib = 1024 * 1024;

// Reads a page of that size if the tenant may; returns how long it has to wait otherwise.
std::chrono::milliseconds read(ReplyRate& rate, std::string_view tenant, std::int64_t bytes,
                               ReplyRate::Clock::time_point now = start) {
  const auto wait = rate.begin_page(tenant, now);
  if (wait == 0ms) rate.end_page(tenant, static_cast<std::size_t>(bytes), now);
  return wait;
}

TEST(ReplyRate, lets_a_burst_pass_and_then_the_rate) {
  ReplyRate rate(mib, 4 * mib);
  EXPECT_EQ(read(rate, "shop", 4 * mib - 1), 0ms) << "an unknown tenant has a full bucket";
  EXPECT_EQ(read(rate, "shop", 2 * mib + 1), 0ms) << "one byte was left";
  const auto wait = read(rate, "shop", 1);
  EXPECT_GE(wait, 2000ms);
  EXPECT_LE(wait, 2010ms);
  EXPECT_EQ(read(rate, "shop", 1, start + wait), 0ms);
}

TEST(ReplyRate, counts_pages_that_are_read_at_the_same_time) {
  ReplyRate rate(mib, 4 * mib);
  int admitted = 0;
  while (admitted < 100 && rate.begin_page("shop", start) == 0ms) ++admitted;
  EXPECT_EQ(admitted, 4);
  rate.end_page("shop", 0, start);
  EXPECT_EQ(rate.begin_page("shop", start), 0ms) << "a page that failed gives its estimate back";
}

TEST(ReplyRate, counts_each_tenant_alone) {
  ReplyRate rate(mib, 4 * mib);
  EXPECT_EQ(read(rate, "shop", 100 * mib), 0ms);
  EXPECT_GT(read(rate, "shop", 1), 0ms);
  EXPECT_EQ(read(rate, "neighbour", 1), 0ms);
}

TEST(ReplyRate, never_fills_a_bucket_beyond_the_burst) {
  ReplyRate rate(mib, 4 * mib);
  EXPECT_EQ(read(rate, "shop", 0), 0ms);
  EXPECT_EQ(read(rate, "shop", 4 * mib, start + 24h), 0ms);
  EXPECT_GT(read(rate, "shop", 1, start + 24h), 0ms);
}

TEST(ReplyRate, makes_nobody_wait_longer_than_a_minute) {
  ReplyRate rate(mib, 4 * mib);
  EXPECT_EQ(read(rate, "shop", 1000 * mib), 0ms);
  EXPECT_LE(read(rate, "shop", 1), 61s);
}

TEST(ReplyRate, limits_nothing_without_a_rate) {
  ReplyRate rate(0, 0);
  EXPECT_EQ(read(rate, "shop", 1000 * mib), 0ms);
  EXPECT_EQ(read(rate, "shop", 1000 * mib), 0ms);
}

TEST(ReplyRate, forgets_tenants_whose_bucket_is_full_again) {
  ReplyRate rate(mib, 4 * mib);
  for (int i = 0; i < 5000; ++i) EXPECT_EQ(read(rate, "shop-" + std::to_string(i), 1, start + i * 10ms), 0ms);
  EXPECT_EQ(read(rate, "shop-0", 8 * mib, start + 50s), 0ms);
  EXPECT_GT(read(rate, "shop-0", 1, start + 50s), 0ms);
}

}  // namespace
}  // namespace guildhall::api
