// Rules that hold for every route of the route table: everything has a rate limit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/crypto.h"
#include "base/encoding.h"
#include "support/samples.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using api::Access, api::Route, test::CheckedClient, test::HttpReply, test::TestServer;

std::string any_path_of(const Route& route) {
  const auto params = static_cast<std::size_t>(std::ranges::count(route.path, ':'));
  return test::filled(route.path, std::vector<std::string>(params, "x"));
}

std::string name_of(const Route& route) {
  return fmt::format("{} {}", to_string(route.method), route.path);
}

class RouteTable : public ::testing::TestWithParam<test::Engine> {};
INSTANTIATE_TEST_SUITE_P(Pairs, RouteTable, test::engines, test::engine_name);

TEST_P(RouteTable, has_a_limit_for_everything_that_costs_something) {
  TestServer server(GetParam());
  for (const Route& route : server.routes()) {
    EXPECT_TRUE(route.limit || route.counts_callers() || !route.unlimited_because.empty())
        << name_of(route) << ": anybody can call it as often as they like";
  }
}

TEST_P(RouteTable, limits_the_requests_of_a_user_about_the_own_account) {
  TestServer server(GetParam(), {{"RATE_LIMIT_DISABLED", "false"}});
  CheckedClient member = server.member("default"), other = server.member("default");
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(member.get("/auth/me").status, 200) << i;
  for (const Route& route : server.routes()) {
    if (route.access != Access::session || route.limit) continue;
    const HttpReply reply = member.send(std::string(to_string(route.method)), any_path_of(route), "{}",
                                        {{"Content-Type", "application/json"}});
    EXPECT_EQ(reply.status, 429) << name_of(route);
  }
  EXPECT_EQ(other.get("/auth/me").status, 200) << "each user counts alone";
}

TEST_P(RouteTable, limits_the_public_view_of_a_fund_by_address) {
  TestServer server(GetParam(), {{"RATE_LIMIT_DISABLED", "false"}, {"TRUSTED_PROXIES", "127.0.0.1"}});
  CheckedClient visitor = server.client();
  const auto status_for = [&](const std::string& address) {
    return visitor.get("/api/community-fund/default/public", {{"X-Forwarded-For", address}}).status;
  };
  const std::string network = fmt::format("2001:db8:{}:{}", hex(random_bytes(2)), hex(random_bytes(2)));
  for (int i = 0; i < 300; ++i) ASSERT_NE(status_for(fmt::format("{}::{:x}", network, i)), 429) << i;
  EXPECT_EQ(status_for(network + "::ffff"), 429) << "another address of the same network";
}

}  // namespace
}  // namespace guildhall
