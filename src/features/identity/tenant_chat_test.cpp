// A tenant's own chat application. Its admin owns it and so has a say in who signs in: what comes through it must not
// reach beyond the tenant, nor be taken for what came through the platform's application.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "features/identity/grants.h"
#include "support/chat_sign_in.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

const std::string path = "/api/admin/auth-providers/chat";

class TenantChat : public ::testing::TestWithParam<test::Engine> {
 protected:
  TenantChat() {
    for (const char* member : {"1", "7"}) sandbox.add_member(member);
    server.add_tenant("shop");
    server.add_tenant("other");
  }

  HttpReply sign_in(CheckedClient& by, const std::string& chat_user, const std::string& tenant = "shop") {
    const HttpReply started = by.get("/auth/chat/start?tenantId=" + tenant);
    EXPECT_EQ(started.status, 200) << started.body;
    const std::string code = sandbox.consent(started.text("/authorizationUrl"), chat_user);
    HttpReply back = by.get(fmt::format("/auth/chat/callback?code={}&state={}", code, started.text("/state")));
    EXPECT_EQ(back.status, 200) << back.body;
    return back;
  }

  // The platform knows one application only, so the tenant enters that one as its own.
  void set_up_own_application(const std::string& tenant = "shop") {
    CheckedClient admin = server.admin(tenant);
    const HttpReply reply =
        admin.put(path, fmt::format(R"({{"clientId":"{}","clientSecret":"{}"}})",
                                    test::sandbox_secrets().chat_application(), sandbox.secret("chat client")));
    ASSERT_EQ(reply.status, 200) << reply.body;
  }

  test::TestSandbox sandbox;
  test::TestServer server{GetParam(), sign_in_environment(sandbox)};
  CheckedClient client = server.client();
};
INSTANTIATE_TEST_SUITE_P(Pairs, TenantChat, test::engines, test::engine_name);

TEST_P(TenantChat, is_set_up_by_a_tenant_admin_alone) {
  CheckedClient clerk = server.member("shop", "admin.access", "data.read", "data.write");
  EXPECT_EQ(clerk.put(path, R"({"clientId":"own"})").code(), "PERMISSION_DENIED");
  EXPECT_EQ(clerk.put(path, R"({"clientId":"own"})").status, 403);
  EXPECT_EQ(clerk.get(path).status, 200);
  CheckedClient boss = server.member("shop", "TenantAdmin");
  EXPECT_EQ(boss.put(path, R"({"clientId":"own"})").status, 200);
}

TEST_P(TenantChat, gets_its_codes_only_at_addresses_of_the_operator) {
  CheckedClient boss = server.member("shop", "TenantAdmin");
  const auto put = [&](std::string_view uri) {
    return boss.put(path, fmt::format(R"({{"clientId":"own","clientSecret":"s","redirectUri":"{}"}})", uri));
  };
  EXPECT_EQ(put("https://evil.example.com/back").wrong_fields(), std::vector<std::string>{"redirectUri"});
  EXPECT_EQ(put(server.config.public_base_url + "/auth/chat/callback/").status, 400);
  EXPECT_EQ(put(server.config.public_base_url + "/auth/chat/callback").status, 200);
  EXPECT_EQ(put(test::chat_callback_url).status, 200);
  EXPECT_EQ(put("https://app.example.com/back").status, 200) << "on the allow-list";
  EXPECT_EQ(boss.put(path, R"({"scopes":"identify"})").status, 200);

  // As an older version stored it.
  static const Sql sql("UPDATE auth_providers SET redirect_uri = 'https://evil.example.com/back'");
  server.write([&](Tx& tx) { tx.run({&sql, {}}); });
  EXPECT_EQ(client.get("/auth/chat/start?tenantId=shop").wrong_fields(), std::vector<std::string>{"redirectUri"});
  EXPECT_EQ(boss.put(path, R"({"scopes":"identify"})").status, 400);
}

TEST_P(TenantChat, never_signs_in_a_user_of_the_platforms_application) {
  CheckedClient boss = server.client();
  sign_in(boss, "1");  // the first becomes TenantAdmin
  CheckedClient before = server.client();
  const std::string user = sign_in(before, "7").text("/session/user/userId");
  server.write([&](Tx& tx) {
    add_grant(tx, TenantId(std::string("shop")), UserId(user), "treasurer", now());
    add_grant(tx, TenantId(std::string("other")), UserId(user), "TenantAdmin", now());
  });
  set_up_own_application();
  const HttpReply through_own = sign_in(client, "7");
  EXPECT_NE(through_own.text("/session/user/userId"), user);
  EXPECT_EQ(through_own.size("/session/permissionKeys"), 0u);
  CheckedClient again = server.client();
  EXPECT_EQ(sign_in(again, "7").text("/session/user/userId"), through_own.text("/session/user/userId"));

  CheckedClient admin = server.admin("shop");
  ASSERT_EQ(admin.put(path, R"({"clientId":null})").status, 200);
  CheckedClient after = server.client();
  EXPECT_EQ(sign_in(after, "7").text("/session/user/userId"), user) << "nor the other way round";
}

TEST_P(TenantChat, gives_sessions_that_stay_in_the_tenant) {
  set_up_own_application();
  const std::string user = sign_in(client, "7").text("/session/user/userId");
  server.write([&](Tx& tx) {
    for (const std::string tenant : {"shop", "other"})
      add_grant(tx, TenantId(tenant), UserId(user), "TenantAdmin", now());
  });
  CheckedClient again = server.client();
  EXPECT_EQ(sign_in(again, "7").text("/session/permissionKeys/0"), "TenantAdmin");
  for (const char* tenant : {"other", "shop", "nowhere"}) {
    const HttpReply refused = again.post("/auth/tenant", fmt::format(R"({{"tenantId":"{}"}})", tenant));
    EXPECT_EQ(refused.status, 400) << tenant;
    EXPECT_EQ(refused.code(), "TENANT_ACCESS_DENIED");
  }
  // Nor by a detour: a password of one's own would give a session that may switch.
  EXPECT_EQ(again.put("/api/data/user/" + user + "/password", R"({"password":"long enough"})").status, 403);
  EXPECT_EQ(again.get("/api/data/customer").status, 200);
}

TEST_P(TenantChat, gives_sessions_that_do_not_end_those_that_came_another_way) {
  set_up_own_application();
  CheckedClient admin = server.admin("shop");
  const std::string user = sign_in(client, "7").text("/session/user/userId");
  ASSERT_EQ(admin.put("/api/data/user/" + user + "/password", R"({"password":"long enough"})").status, 204);
  CheckedClient local = server.client();
  ASSERT_EQ(
      local.post("/auth/local/login", R"({"username":"user7","password":"long enough","tenantId":"shop"})").status,
      200);
  sign_in(client, "7");
  const HttpReply all = local.get("/auth/sessions");
  ASSERT_EQ(all.size("/items"), 2u) << all.body;
  ASSERT_EQ(all.text("/items/1/provider"), "local");
  EXPECT_EQ(client.get("/auth/sessions").size("/items"), 1u);
  EXPECT_EQ(client.del("/auth/sessions/" + all.text("/items/1/id")).status, 404);
  EXPECT_EQ(client.del("/auth/sessions").status, 204);
  EXPECT_EQ(client.get("/auth/me").status, 401);
  EXPECT_EQ(local.get("/auth/me").status, 200);
}

TEST_P(TenantChat, never_gives_platform_admin) {
  set_up_own_application("default");
  CheckedClient admin = server.admin();
  const std::string user = sign_in(client, "7", "default").text("/session/user/userId");
  ASSERT_EQ(admin.put("/api/admin/grants/" + user, R"({"keys":["PlatformAdmin","TenantAdmin"]})").status, 200);
  EXPECT_EQ(client.get("/auth/me").size("/session/permissionKeys"), 4u) << "TenantAdmin and what it implies";
  EXPECT_EQ(sign_in(client, "7", "default").size("/session/permissionKeys"), 4u);
  EXPECT_EQ(client.post("/api/data/tenant", R"({"tenantId":"x","name":"x","ownerUserId":"x"})").status, 403);
  EXPECT_EQ(client.put("/api/data/user/" + user + "/password", R"({"password":"long enough"})").status, 403);
  EXPECT_EQ(client.put("/api/admin/grants/" + user, R"({"keys":["TenantAdmin"]})").status, 403);
}

TEST_P(TenantChat, gives_sessions_whose_password_does_not_outlast_a_promotion) {
  set_up_own_application("default");
  CheckedClient admin = server.admin();
  const HttpReply signed_in = sign_in(client, "7", "default");
  const std::string user = signed_in.text("/session/user/userId");
  ASSERT_EQ(admin.put("/api/admin/grants/" + user, R"({"keys":["admin.access"]})").status, 200);
  ASSERT_EQ(client.put("/api/data/user/" + user + "/password", R"({"password":"long enough"})").status, 204);
  ASSERT_EQ(admin.put("/api/admin/grants/" + user, R"({"keys":["PlatformAdmin"]})").status, 200);
  EXPECT_EQ(
      client.post("/auth/local/login", R"({"username":"user7","password":"long enough","tenantId":"default"})").code(),
      "INVALID_CREDENTIALS");
}

}  // namespace
}  // namespace guildhall
