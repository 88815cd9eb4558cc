// Calls every route of the route table as every kind of caller, and compares the result with the access policy.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "support/body_maker.h"
#include "support/rank.h"
#include "support/samples.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using api::Access, api::Route, test::HttpReply;

enum class Who { nobody, member, staff, admin, other_admin, platform_admin };
constexpr std::string_view names[] = {"nobody",   "a member without grants",    "staff",
                                      "an admin", "an admin of another tenant", "a platform admin"};

enum class Answer { unauthenticated, forbidden, admitted };

// The access policy. The admin of another tenant sends this tenant's id in x-tenant-id, so every route with a tenant
// must refuse.
Answer expected(Access access, Who who) {
  const bool signed_in = who != Who::nobody, here = who != Who::other_admin;
  const auto if_signed_in = [&](bool allowed) {
    return !signed_in ? Answer::unauthenticated : allowed ? Answer::admitted : Answer::forbidden;
  };
  switch (access) {
    case Access::open:
    case Access::optional:
      return Answer::admitted;
    case Access::session:
      return if_signed_in(true);
    case Access::data_read:
    case Access::data_write:
      return if_signed_in(here && who != Who::member);
    case Access::admin:
    case Access::tenant_admin:
      return if_signed_in(here && (who == Who::admin || who == Who::platform_admin));
    case Access::platform_admin:
      return if_signed_in(who == Who::platform_admin);
  }
  throw std::logic_error("an access level without an entry in the access matrix");
}

class AccessMatrix : public ::testing::Test {
 protected:
  AccessMatrix() {
    server.add_tenant("here");
    server.add_tenant("there");
  }

  test::HttpClient client_of(Who who) {
    switch (who) {
      case Who::nobody:
        return test::HttpClient(server.port());
      case Who::member:
        return server.member("here");
      case Who::staff:
        return server.member("here", "TenantStaff");
      case Who::admin:
        return server.member("here", "TenantAdmin");
      case Who::other_admin:
        return server.member("there", "TenantAdmin");
      case Who::platform_admin: {
        test::HttpClient client = server.member("default", "PlatformAdmin");
        client.post("/auth/tenant", R"({"tenantId":"here"})");
        return client;
      }
    }
    throw std::logic_error("nobody of that name");
  }

  void check(const Route& route, Who who, test::HttpClient& client, test::HttpClient& admin) {
    const std::string key = test::sample_key(route.path);
    const auto params =
        key.empty() ? std::vector<std::string>() : test::samples().at(key)({server, admin, "here", "mark"});
    test::BodyMaker maker(route);
    test::HttpHeaders headers{{"Content-Type", maker.content_type()}};
    if (route.tenant_scoped()) headers.emplace_back("x-tenant-id", "here");
    const std::string body = maker.make("any");
    const HttpReply reply =
        client.send(std::string(to_string(route.method)), test::filled(route.path, params), body, headers);
    const std::string what = fmt::format("{} {} by {}: {} {}", to_string(route.method), route.path,
                                         names[static_cast<int>(who)], reply.status, reply.body);
    switch (expected(route.access, who)) {
      case Answer::unauthenticated:
        EXPECT_EQ(reply.status, 401) << what;
        break;
      case Answer::forbidden:
        EXPECT_EQ(reply.status, 403) << what;
        break;
      case Answer::admitted:
        if (!route.needs_session()) break;  // the handler's own checks are tested elsewhere
        EXPECT_NE(reply.status, 401) << what;
        EXPECT_TRUE(reply.status != 403 || !is_refused_by_guards(reply)) << what;
        if (route.method == http::Method::get && !params.empty()) EXPECT_EQ(reply.status, 200) << what;
        break;
    }
  }

  // True if the guards refused the request, not the handler.
  static bool is_refused_by_guards(const HttpReply& reply) {
    return reply.code().starts_with("TENANT_") || reply.text("/error").starts_with("This needs the permission");
  }

  test::TestServer server{test::Engine::sqlite};
};

TEST_F(AccessMatrix, knows_a_sample_for_every_route_with_an_id) {
  for (const Route& route : server.routes()) {
    const std::string key = test::sample_key(route.path);
    EXPECT_TRUE(key.empty() || test::samples().contains(key))
        << "add a line for " << key << " to tests/support/samples.cpp that makes such a record, for " << route.path;
  }
}

TEST_F(AccessMatrix, is_what_every_route_answers) {
  test::HttpClient admin = server.admin("here");
  for (int i = 0; i < 6; ++i) {
    const Who who = static_cast<Who>(i);
    test::HttpClient client = client_of(who);
    for (const Route& route : server.routes()) {
      if (!test::sample_key(route.path).empty() && !test::samples().contains(test::sample_key(route.path))) continue;
      check(route, who, client, admin);
      const bool ended = who != Who::nobody && route.path.starts_with("/auth/") && client.get("/auth/me").status != 200;
      if (ended) client.cookies = client_of(who).cookies;
    }
  }
}

// Tests rank: every pair of actor and target on every route that changes a user.
TEST_F(AccessMatrix, knows_who_may_change_whom) {
  const test::HttpClient keeps_a_tenant_admin = server.admin("here");
  for (const test::RankRow& row : test::rank_table) {
    const bool above = row.actor == test::Keys{"PlatformAdmin"};
    test::HttpClient actor = above ? client_of(Who::platform_admin) : server.member_with("here", row.actor);
    for (const Route& route : server.routes()) {
      if (!test::changes_a_user(route)) continue;
      const auto body = test::rank_bodies.find(test::route_name(route));
      ASSERT_NE(body, test::rank_bodies.end()) << "add " << test::route_name(route) << " to tests/support/rank.h";
      for (std::size_t i = 0; i < test::rank_targets.size(); ++i) {
        const std::string target = server.add_user("here", test::rank_targets[i], "here");
        const HttpReply reply = actor.send(std::string(to_string(route.method)), test::filled(route.path, {target}),
                                           body->second, {{"Content-Type", "application/json"}});
        const std::string what =
            fmt::format("{} by [{}] of [{}]: {} {}", test::route_name(route), fmt::join(row.actor, " "),
                        fmt::join(test::rank_targets[i], " "), reply.status, reply.body);
        if (test::may_change(row, i, route)) {
          EXPECT_EQ(reply.status / 100, 2) << what;
        } else {
          EXPECT_EQ(reply.status, 403) << what;
        }
      }
    }
  }
}

}  // namespace
}  // namespace guildhall
