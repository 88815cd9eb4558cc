#include "base/address.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(ClientNetwork, is_an_ipv4_address_or_the_network_of_an_ipv6_address) {
  EXPECT_EQ(client_network("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(client_network("::ffff:192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(client_network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(client_network("2001:db8:1:2:ffff::1"), "2001:db8:1:2::/64");
  EXPECT_EQ(client_network("2001:db8:1:3::1"), "2001:db8:1:3::/64");
  EXPECT_EQ(client_network("::1"), "::/64");
  EXPECT_EQ(client_network("nonsense"), "nonsense");
  EXPECT_EQ(client_network(""), "");
}

}  // namespace
}  // namespace guildhall
