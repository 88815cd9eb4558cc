#include "base/address.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(AddressRanges, contain_their_addresses) {
  const auto in = [](std::string_view range, std::string_view address) {
    return AddressRange::parse(range)->contains(address);
  };
  EXPECT_TRUE(in("10.0.0.0/8", "10.255.1.2"));
  EXPECT_FALSE(in("10.0.0.0/8", "11.0.0.1"));
  EXPECT_TRUE(in("127.0.0.1", "127.0.0.1"));
  EXPECT_TRUE(in("127.0.0.1", "::ffff:127.0.0.1"));
  EXPECT_FALSE(in("127.0.0.1", "127.0.0.2"));
  EXPECT_TRUE(in("fd00::/8", "fd12::1"));
  EXPECT_FALSE(in("fd00::/8", "fe00::1"));
  EXPECT_TRUE(in("0.0.0.0/0", "1.2.3.4"));
  EXPECT_FALSE(in("10.0.0.0/8", "rubbish"));
  for (const char* bad : {"", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/-1", "10.0.0.0/8x", "::1/129"}) {
    EXPECT_FALSE(AddressRange::parse(bad)) << bad;
  }
}

TEST(CountedAddress, of_ipv6_is_its_network) {
  EXPECT_EQ(counted_address("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(counted_address("2001:DB8:1:2::"), "2001:db8:1:2::/64");
  EXPECT_EQ(counted_address("2001:db8:1:3::6"), "2001:db8:1:3::/64");
  EXPECT_EQ(counted_address("::1"), "::/64");
  EXPECT_EQ(counted_address(counted_address("2001:db8::1")), "2001:db8::/64");
}

TEST(CountedAddress, of_ipv4_is_the_address_itself) {
  EXPECT_EQ(counted_address("192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(counted_address("::ffff:192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(counted_address("::FFFF:c000:0201"), "192.0.2.1");
  EXPECT_EQ(counted_address("64:ff9b::192.0.2.1"), "192.0.2.1") << "translated by NAT64";
  EXPECT_EQ(counted_address(""), "");
  EXPECT_EQ(counted_address("not:an:address"), "not:an:address");
}

}  // namespace
}  // namespace guildhall
