// Rules that hold for every route of the route table: what programs may not do, and that everything has a rate limit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/crypto.h"
#include "base/encoding.h"
#include "support/samples.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using api::Access, api::Route, test::CheckedClient, test::HttpReply, test::TestServer;

// What a program with an API token may change. Everything else needs a person: users, grants, roles, invitations,
// tokens, passwords, second factors, tenants, chat applications, payment credentials and security settings. Add a line
// only after somebody has decided that a program may change that.
constexpr std::string_view changed_by_programs[] = {
    "/api/data/customer",
    "/api/data/delivery-key",
    "/api/data/discount",
    "/api/data/entitlement",
    "/api/data/order",
    "/api/data/product",
    "/api/data/shipment",
    "/api/data/webhook-event",
    "/api/orders/:id/invoice-link",
    "/api/admin/branding",
    "/api/admin/chat/simulation",
    "/api/admin/chat/test",
    "/api/admin/codes",
    "/api/admin/community-fund/contributions",
    "/api/admin/community-fund/disbursements",
    "/api/admin/email/test",
    "/api/admin/entitlements/reconcile",
    "/api/admin/memberships",
    "/api/admin/messages",
    "/api/admin/outbox",
    "/api/admin/payment-methods/:method/test",
    "/api/admin/payments",
    "/api/admin/reports/rebuild",
    "/api/admin/webhook-endpoints",
};

bool is_changed_by_programs(std::string_view path) {
  return std::ranges::any_of(changed_by_programs, [&](std::string_view prefix) {
    return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/');
  });
}

bool changes_something(const Route& route) {
  return route.method != http::Method::get && route.method != http::Method::head;
}

std::string any_path_of(const Route& route) {
  const auto params = static_cast<std::size_t>(std::ranges::count(route.path, ':'));
  return test::filled(route.path, std::vector<std::string>(params, "x"));
}

std::string name_of(const Route& route) {
  return fmt::format("{} {}", to_string(route.method), route.path);
}

class RouteTable : public ::testing::TestWithParam<test::Engine> {};
INSTANTIATE_TEST_SUITE_P(Pairs, RouteTable, test::engines, test::engine_name);

TEST_P(RouteTable, leaves_accounts_and_security_to_people) {
  TestServer server(GetParam());
  CheckedClient admin = server.admin();
  const std::string token =
      admin.post("/api/admin/tokens", R"({"name":"script","keys":["PlatformAdmin","TenantAdmin"]})").text("/token");
  CheckedClient program = server.client();
  for (const Route& route : server.routes()) {
    if (route.tenant_scoped() && changes_something(route)) {
      EXPECT_EQ(route.needs_person, !is_changed_by_programs(route.path)) << name_of(route);
    }
    if (!route.needs_session() || route.admits_tokens()) continue;
    const HttpReply reply = program.send(std::string(to_string(route.method)), any_path_of(route), "{}",
                                         {{"Authorization", "Bearer " + token}, {"Content-Type", "application/json"}});
    EXPECT_EQ(reply.status, 403) << name_of(route);
    EXPECT_EQ(reply.code(), "SESSION_REQUIRED") << name_of(route);
  }
}

// Posts that only compute something, so that a repetition does no harm.
constexpr std::string_view computing_posts[] = {"/api/data/order/quote", "/api/admin/messages/preview"};

TEST_P(RouteTable, has_idempotency_keys_for_every_post_of_a_tenant) {
  TestServer server(GetParam());
  CheckedClient admin = server.admin();
  const std::string document = admin.get("/openapi.json").body;
  simdjson::dom::parser parser;
  const simdjson::dom::element paths = parser.parse(document)["paths"];
  for (const Route& route : server.routes()) {
    if (route.method != http::Method::post || !route.tenant_scoped()) continue;
    const bool is_computing = std::ranges::count(computing_posts, route.path) > 0;
    std::string path = route.path;
    for (std::size_t at = 0; (at = path.find(':', at)) != std::string::npos;) {
      const std::size_t end = std::min(path.find('/', at), path.size());
      path.replace(at, end - at, "{" + path.substr(at + 1, end - at - 1) + "}");
    }
    const std::string parameters = simdjson::minify(paths[path]["post"]["parameters"].value());
    EXPECT_EQ(parameters.find("Idempotency-Key") == std::string::npos, is_computing) << name_of(route);
  }
}

TEST_P(RouteTable, refuses_a_program_that_switches_a_security_setting_off) {
  TestServer server(GetParam());
  CheckedClient admin = server.admin();
  const std::string token =
      admin.post("/api/admin/tokens", R"({"name":"script","keys":["TenantAdmin"]})").text("/token");
  CheckedClient program = server.client();
  const test::HttpHeaders bearer{{"Authorization", "Bearer " + token}};
  EXPECT_EQ(program.put("/api/admin/settings", R"({"requireSecondFactor":false})", bearer).code(), "SESSION_REQUIRED");
  EXPECT_EQ(program.get("/api/admin/settings", bearer).status, 200) << "reading is allowed";
  EXPECT_EQ(program.get("/api/data/user", bearer).status, 200);
}

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
