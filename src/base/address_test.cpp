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

}  // namespace
}  // namespace guildhall
