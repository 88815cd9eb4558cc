#include "http/quota.h"

#include <gtest/gtest.h>

namespace guildhall::http {
namespace {

TEST(Quota, limits_the_total_and_each_key) {
  Quota quota(10, 4);
  auto a = quota.take("a", 4);
  EXPECT_TRUE(a);
  EXPECT_FALSE(quota.take("a", 1));
  EXPECT_TRUE(quota.key_is_full("a", 1));
  auto b = quota.take("b", 4);
  EXPECT_TRUE(b);
  EXPECT_FALSE(quota.take("c", 3)) << "only 2 are left";
  EXPECT_FALSE(quota.key_is_full("c", 3));
  EXPECT_TRUE(quota.take("c", 2));
  EXPECT_EQ(quota.held(), 8U) << "the hold of c was not kept";
}

TEST(Quota, takes_back_what_is_no_longer_held) {
  Quota quota(10, 4);
  {
    auto first = quota.take("a", 3);
    auto moved = std::move(first);
    EXPECT_FALSE(quota.take("a", 2));
    moved = quota.take("b", 1);
    EXPECT_FALSE(quota.key_is_full("a", 2)) << "an assignment gives back what was held before";
  }
  EXPECT_EQ(quota.held(), 0U);
  EXPECT_TRUE(quota.take("a", 4));
}

TEST(Quota, counts_the_empty_key_only_for_the_total) {
  Quota quota(10, 4);
  auto many = quota.take("", 9);
  EXPECT_TRUE(many);
  EXPECT_FALSE(quota.take("", 2));
  EXPECT_FALSE(quota.take("a", 2));
}

TEST(Quota, does_not_overflow) {
  Quota quota(10, 4);
  auto beyond = quota.take_beyond("a", 20);
  EXPECT_EQ(quota.held(), 20U);
  EXPECT_FALSE(quota.take("", 1));
  EXPECT_FALSE(quota.take("", SIZE_MAX));
}

TEST(Capacity, counts_the_addresses_of_an_ipv6_network_together) {
  const Capacity capacity{.trusted_proxies{*AddressRange::parse("2001:db8:9::/48")}};
  EXPECT_EQ(capacity.key_of("2001:db8::1"), capacity.key_of("2001:db8::2:0:0:1"));
  EXPECT_NE(capacity.key_of("2001:db8::1"), capacity.key_of("2001:db8:0:1::1"));
  EXPECT_EQ(capacity.key_of("192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(capacity.key_of("2001:db8:9::1"), "") << "a proxy";
}

}  // namespace
}  // namespace guildhall::http
