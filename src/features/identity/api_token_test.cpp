#include <fmt/format.h>
#include <thread>

#include "features/identity/grants.h"
#include "support/test_clock.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpHeaders, test::HttpReply;

const std::string all = "/api/admin/tokens";

class ApiTokens : public ::testing::TestWithParam<test::Engine> {
 protected:
  static HttpHeaders bearer(const std::string& token) { return {{"Authorization", "Bearer " + token}}; }

  std::string token(HttpClient& by, const std::string& keys, const std::string& more = "") {
    const HttpReply made = by.post(all, fmt::format(R"({{"name":"script","keys":{}{}}})", keys, more));
    EXPECT_EQ(made.status, 201) << made.body;
    last_id = made.text("/id");
    return made.text("/token");
  }

  test::TestServer server{GetParam()};
  HttpClient admin = server.member("default", "TenantAdmin");
  HttpClient program = server.client();
  std::string last_id;
};
INSTANTIATE_TEST_SUITE_P(Pairs, ApiTokens, test::engines, test::engine_name);

TEST_P(ApiTokens, sign_a_program_in_with_their_keys) {
  const std::string reading = token(admin, R"(["data.read"])");
  EXPECT_EQ(program.get("/api/data/order", bearer(reading)).status, 200);
  EXPECT_EQ(program.get("/api/admin/audit", bearer(reading)).status, 403);
  EXPECT_EQ(
      program.post("/api/data/discount", R"({"code":"TEN","type":"PERCENT","percent":10})", bearer(reading)).status,
      403);
  const std::string all_of_it = token(admin, R"(["TenantAdmin"])");
  EXPECT_EQ(program.get("/api/admin/audit", bearer(all_of_it)).status, 200);
  EXPECT_EQ(program.get("/api/data/order").status, 401) << "without the token";
}

TEST_P(ApiTokens, show_their_text_once_and_store_a_hash) {
  const HttpReply made = admin.post(all, R"({"name":"script","keys":["data.read"]})", {{"Idempotency-Key", "token-1"}});
  ASSERT_EQ(made.status, 201);
  const std::string text = made.text("/token");
  const HttpReply again =
      admin.post(all, R"({"name":"script","keys":["data.read"]})", {{"Idempotency-Key", "token-1"}});
  EXPECT_EQ(again.status, 201);
  EXPECT_TRUE(again.is_null("/token"));
  EXPECT_EQ(again.text("/id"), made.text("/id"));
  const HttpReply listed = admin.get(all);
  EXPECT_EQ(listed.text("/items/0/id"), made.text("/id"));
  EXPECT_EQ(listed.body.find(text.substr(text.rfind('.') + 1)), std::string::npos);
  const Sql stored("SELECT secret_hash FROM api_tokens");
  server.write([&](Tx& tx) {
    tx.run({&stored, {}}, [&](const Row& row) {
      EXPECT_EQ(row.text(0).find(text.substr(text.rfind('.') + 1)), std::string_view::npos);
      EXPECT_EQ(row.text(0).size(), 64U);
    });
  });
}

TEST_P(ApiTokens, are_refused_after_they_are_revoked_or_expired) {
  const std::string text = token(admin, R"(["data.read"])");
  EXPECT_EQ(program.get("/api/data/order", bearer(text)).status, 200);
  EXPECT_EQ(admin.del(all + "/" + last_id).status, 204);
  EXPECT_EQ(program.get("/api/data/order", bearer(text)).status, 401);
  EXPECT_EQ(admin.del(all + "/" + last_id).status, 404);

  const std::string expires_at = fmt::format(R"(,"expiresAt":"{}")", to_string(now() + std::chrono::hours(48)));
  const std::string expiring = token(admin, R"(["data.read"])", expires_at);
  test::TestClock clock;
  clock.advance(std::chrono::hours(47));
  EXPECT_EQ(program.get("/api/data/order", bearer(expiring)).status, 200);
  clock.advance(std::chrono::hours(1));
  EXPECT_EQ(program.get("/api/data/order", bearer(expiring)).status, 401);
}

TEST_P(ApiTokens, are_refused_when_any_part_is_changed) {
  const std::string text = token(admin, R"(["data.read"])");
  server.add_tenant("other");
  const std::string rest = text.substr(text.find('.'));
  const std::vector<std::string> wrong{"",
                                       "gh_",
                                       "gh_..",
                                       text + "x",
                                       text.substr(0, text.size() - 1),
                                       "gh_b3RoZXI" + rest,  // the tenant "other"
                                       "gh_AAAA" + rest,     // a tenant with U+0000 in its name
                                       text.substr(0, text.find('.')) + ".\xff\xfe." + "x"};
  for (const std::string& each : wrong) {
    const HttpReply reply = program.get("/api/data/order", bearer(each));
    EXPECT_EQ(reply.status, 401) << each;
  }
}

TEST_P(ApiTokens, have_no_more_than_their_maker_holds) {
  HttpClient staff_admin = server.member_with("default", {"admin.access", "data.read"});
  EXPECT_EQ(staff_admin.post(all, R"({"name":"x","keys":["data.write"]})").status, 403);
  EXPECT_EQ(staff_admin.post(all, R"({"name":"x","keys":["TenantAdmin"]})").status, 403);
  EXPECT_EQ(staff_admin.post(all, R"({"name":"x","keys":["PlatformAdmin"]})").status, 403);
  const std::string admins = token(admin, R"(["TenantAdmin"])");
  EXPECT_EQ(staff_admin.del(all + "/" + last_id).status, 403) << "revoking needs the token's keys";
  const std::string text = token(staff_admin, R"(["admin.access","data.read"])");
  EXPECT_EQ(program.get("/api/data/order", bearer(text)).status, 200);

  const std::string user = staff_admin.get("/auth/me").text("/session/user/userId");
  server.write([&](Tx& tx) { remove_grant(tx, TenantId(std::string("default")), UserId(user), "data.read"); });
  EXPECT_EQ(program.get("/api/data/order", bearer(text)).status, 403) << "the maker has lost the key";
  EXPECT_EQ(program.get("/api/admin/audit", bearer(text)).status, 200);
}

TEST_P(ApiTokens, cannot_make_tokens_or_act_on_sessions) {
  const std::string text = token(admin, R"(["TenantAdmin"])");
  EXPECT_EQ(program.post(all, R"({"name":"x","keys":["data.read"]})", bearer(text)).code(), "SESSION_REQUIRED");
  EXPECT_EQ(program.del(all + "/" + last_id, bearer(text)).code(), "SESSION_REQUIRED");
  EXPECT_EQ(program.get("/auth/me", bearer(text)).code(), "SESSION_REQUIRED");
  EXPECT_EQ(program.post("/auth/tenant", R"({"tenantId":"default"})", bearer(text)).code(), "SESSION_REQUIRED");
  const std::string user = admin.get("/auth/me").text("/session/user/userId");
  const std::string path = "/api/data/user/" + user;
  const std::string password = R"({"password":"correct horse battery"})";
  EXPECT_EQ(program.put(path + "/password", password, bearer(text)).code(), "SESSION_REQUIRED")
      << "a token must not become a way to sign in as its maker";
  EXPECT_EQ(program.patch(path, R"({"displayName":"X"})", bearer(text)).code(), "SESSION_REQUIRED");
  EXPECT_EQ(program.del(path + "/sessions", bearer(text)).code(), "SESSION_REQUIRED");
  EXPECT_EQ(program.del(path, bearer(text)).code(), "SESSION_REQUIRED");
  const std::string other = server.add_user("default", {"data.read"}, "default");
  EXPECT_EQ(program.put("/api/admin/grants/" + other, R"({"keys":["TenantAdmin"]})", bearer(text)).code(),
            "SESSION_REQUIRED");
}

TEST_P(ApiTokens, end_with_the_sessions_of_their_maker) {
  HttpClient maker = server.member("default", "TenantAdmin");
  const std::string text = token(maker, R"(["data.read"])");
  const std::string user = maker.get("/auth/me").text("/session/user/userId");
  EXPECT_EQ(program.get("/api/data/order", bearer(text)).status, 200);
  EXPECT_EQ(admin.del("/api/data/user/" + user + "/sessions").status, 204);
  EXPECT_EQ(program.get("/api/data/order", bearer(text)).status, 401);
}

TEST_P(ApiTokens, never_carry_a_custom_key_that_their_maker_does_not_hold) {
  HttpClient platform = server.member("default", "PlatformAdmin");
  EXPECT_EQ(platform.post(all, R"({"name":"x","keys":["PlatformAdmin","treasurer"]})").status, 403);
  EXPECT_EQ(program.get("/api/data/tenant", bearer(token(platform, R"(["PlatformAdmin"])"))).status, 200);
}

TEST_P(ApiTokens, carry_platform_admin_in_the_default_tenant_only) {
  server.add_tenant("other");
  HttpClient platform = server.member("default", "PlatformAdmin");
  const std::string text = token(platform, R"(["PlatformAdmin"])");
  const Sql move("UPDATE api_tokens SET tenant_id = 'other'");
  server.write([&](Tx& tx) { EXPECT_EQ(tx.run({&move, {}}), 1); });
  const std::string moved = "gh_b3RoZXI" + text.substr(text.find('.'));  // names the tenant "other"
  EXPECT_EQ(program.get("/api/data/tenant", bearer(moved)).status, 403);
  EXPECT_EQ(program.get("/api/data/order", bearer(moved)).status, 403);
}

TEST_P(ApiTokens, of_others_are_revoked_by_a_tenant_admin_although_they_have_custom_keys) {
  HttpClient chef = server.member_with("default", {"admin.access", "chef"});
  token(chef, R"(["chef"])");
  EXPECT_EQ(admin.del(all + "/" + last_id).status, 204);
}

TEST_P(ApiTokens, need_no_cookie_rules_and_are_named_in_the_audit_trail) {
  const std::string text = token(admin, R"(["data.read","data.write"])");
  HttpHeaders headers = bearer(text);
  headers.emplace_back("Sec-Fetch-Site", "cross-site");
  headers.emplace_back("Origin", "https://elsewhere.example");
  const HttpReply made = program.post("/api/data/discount", R"({"code":"TEN","type":"PERCENT","percent":10})", headers);
  ASSERT_EQ(made.status, 201) << made.body;
  const HttpReply trail = admin.get("/api/admin/audit?limit=1");
  EXPECT_EQ(trail.text("/items/0/actorKind"), "TOKEN") << trail.body;
  EXPECT_EQ(trail.text("/items/0/actorId"), last_id);
  EXPECT_FALSE(admin.get(all).is_null("/items/0/lastUsedAt"));
}

TEST_P(ApiTokens, stay_in_their_tenant) {
  server.add_tenant("other");
  HttpClient others = server.admin("other");
  const std::string text = token(admin, R"(["TenantAdmin"])");
  EXPECT_EQ(others.del(all + "/" + last_id).status, 404);
  EXPECT_EQ(others.get(all).size("/items"), 0U);
  HttpHeaders headers = bearer(text);
  headers.emplace_back("x-tenant-id", "other");
  EXPECT_EQ(program.get("/api/data/order", headers).code(), "TENANT_MISMATCH");
}

TEST_P(ApiTokens, are_refused_with_every_wrong_field_named) {
  const HttpReply reply = admin.post(all, R"({"name":"","keys":["a b",""],"expiresAt":"soon"})");
  EXPECT_EQ(reply.status, 400);
  EXPECT_GE(reply.wrong_fields().size(), 2U) << reply.body;
  EXPECT_EQ(admin.post(all, R"({"name":"x","keys":[]})").status, 400);
  EXPECT_EQ(admin.post(all, R"({"name":"x","keys":["data.read"],"expiresAt":"2001-01-01T00:00:00Z"})").status, 400);
}

TEST_P(ApiTokens, come_to_a_limit) {
  for (int i = 0; i < 100; ++i) token(admin, R"(["data.read"])");
  EXPECT_EQ(admin.post(all, R"({"name":"x","keys":["data.read"]})").code(), "TOO_MANY_TOKENS");
}

TEST_P(ApiTokens, permissions_are_listed_with_their_meaning) {
  const HttpReply listed = admin.get("/api/admin/permissions");
  ASSERT_EQ(listed.status, 200);
  EXPECT_GE(listed.size("/items"), 6U);
  for (std::size_t i = 0; i < listed.size("/items"); ++i) {
    EXPECT_FALSE(listed.text(fmt::format("/items/{}/meaning", i)).empty());
  }
}

}  // namespace
}  // namespace guildhall
