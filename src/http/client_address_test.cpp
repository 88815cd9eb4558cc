#include "http/client_address.h"

#include <gtest/gtest.h>

namespace guildhall::http {
namespace {

std::string address_of(std::string_view peer, std::vector<std::string_view> forwarded,
                       const std::vector<std::string_view>& trusted) {
  Request request;
  request.peer = peer;
  for (const std::string_view value : forwarded) request.headers.push_back({"X-Forwarded-For", value});
  std::vector<AddressRange> ranges;
  for (const std::string_view range : trusted) ranges.push_back(*AddressRange::parse(range));
  return std::string(client_address(request, ranges));
}

TEST(ClientAddress, is_the_other_ends_unless_that_is_a_trusted_proxy) {
  EXPECT_EQ(address_of("9.9.9.9", {"1.1.1.1"}, {}), "9.9.9.9");
  EXPECT_EQ(address_of("9.9.9.9", {"1.1.1.1"}, {"10.0.0.0/8"}), "9.9.9.9");
  EXPECT_EQ(address_of("10.0.0.1", {"1.1.1.1"}, {"10.0.0.0/8"}), "1.1.1.1");
  EXPECT_EQ(address_of("10.0.0.1", {}, {"10.0.0.0/8"}), "10.0.0.1");
}

TEST(ClientAddress, is_the_nearest_that_no_trusted_proxy_has) {
  const std::vector<std::string_view> trusted{"10.0.0.0/8"};
  EXPECT_EQ(address_of("10.0.0.1", {"6.6.6.6, 1.1.1.1, 10.0.0.2"}, trusted), "1.1.1.1");
  EXPECT_EQ(address_of("10.0.0.1", {"6.6.6.6", "1.1.1.1"}, trusted), "1.1.1.1");
  EXPECT_EQ(address_of("10.0.0.1", {"10.0.0.3, 10.0.0.2"}, trusted), "10.0.0.3");
  EXPECT_EQ(address_of("10.0.0.1", {"1.1.1.1, rubbish"}, trusted), "10.0.0.1");
  EXPECT_EQ(address_of("10.0.0.1", {""}, trusted), "10.0.0.1");
}

}  // namespace
}  // namespace guildhall::http
