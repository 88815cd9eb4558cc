#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/password.h"
#include "features/identity/user_store.h"
#include "storage/columns.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::TestServer;

std::string credentials(std::string_view username, std::string_view password, std::string_view tenant = "default") {
  return fmt::format(R"({{"username":"{}","password":"{}","tenantId":"{}"}})", username, password, tenant);
}

class SignIn : public test::OnEachPair {
 protected:
  // A user of the default tenant with a password, whose name no other test locks out.
  std::string add_user(const std::string& password) {
    const std::string name = test::fresh_name();
    NewUser input;
    input.username.value = input.display_name.value = name;
    User user = user_from(input, TenantId(std::string("default")), now());
    user.password_hash.value = hash_password(password);
    server.write([&](Tx& tx) { insert_user(tx, user); });
    return name;
  }

  HttpReply log_in(CheckedClient& client, std::string_view username, std::string_view password) {
    return client.post("/auth/local/login", credentials(username, password));
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, SignIn, test::engines, test::engine_name);

TEST_P(SignIn, gives_the_default_admin_every_permission) {
  CheckedClient client = server.client();
  const HttpReply reply = log_in(client, "admin", test::admin_password);
  ASSERT_EQ(reply.status, 200);
  EXPECT_EQ(reply.text("/session/user/tenantId"), "default");
  EXPECT_EQ(reply.text("/session/user/displayName"), "admin");
  EXPECT_TRUE(reply.has("/session/user/email"));
  EXPECT_EQ(reply.size("/session/permissionKeys"), 6u);
  EXPECT_EQ(reply.text("/session/permissionKeys/0"), "PlatformAdmin");
  const std::string cookie = reply.header("set-cookie");
  EXPECT_TRUE(cookie.starts_with("service_auth=" + reply.text("/session/sessionId") + ".")) << cookie;
  EXPECT_NE(cookie.find("; HttpOnly; SameSite=Lax; Path=/; Max-Age=28800"), std::string::npos) << cookie;

  const HttpReply me = client.get("/auth/me");
  EXPECT_EQ(me.status, 200);
  EXPECT_EQ(me.text("/session/user/userId"), reply.text("/session/user/userId"));
  EXPECT_FALSE(me.has("/session/user/displayName"));
}

TEST_P(SignIn, takes_the_default_admins_name_without_case) {
  CheckedClient client = server.client();
  EXPECT_EQ(log_in(client, "ADMIN", test::admin_password).status, 200);
}

TEST_P(SignIn, of_an_ordinary_user_gives_no_permission_by_itself) {
  const std::string name = add_user("a good password");
  CheckedClient client = server.client();
  const HttpReply reply = log_in(client, name, "a good password");
  ASSERT_EQ(reply.status, 200) << reply.body;
  EXPECT_EQ(reply.size("/session/permissionKeys"), 0u);
  const HttpReply refused = client.get("/api/data/customer");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.code(), "PERMISSION_DENIED");
}

TEST_P(SignIn, gives_the_same_answer_to_a_wrong_password_and_an_unknown_user) {
  const std::string name = add_user("a good password");
  CheckedClient client = server.client();
  const HttpReply wrong = log_in(client, name, "a bad password");
  const HttpReply unknown = log_in(client, test::fresh_name(), "a bad password");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.code(), "INVALID_CREDENTIALS");
  EXPECT_EQ(wrong.body, unknown.body);
  EXPECT_TRUE(client.cookies.empty());
}

TEST_P(SignIn, is_locked_after_five_failures_even_for_the_right_password) {
  const std::string name = add_user("a good password");
  CheckedClient client = server.client();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(log_in(client, name, "wrong").status, 400);
  EXPECT_EQ(log_in(client, name, "a good password").status, 200) << "a success forgets the failures";
  for (int i = 0; i < 5; ++i) EXPECT_EQ(log_in(client, name, "wrong").status, 400);
  const HttpReply locked = log_in(client, name, "a good password");
  EXPECT_EQ(locked.status, 400);
  EXPECT_EQ(locked.code(), "INVALID_CREDENTIALS");
}

TEST_P(SignIn, failures_are_not_forgotten_by_a_success_of_the_same_name_in_another_tenant) {
  const std::string name = add_user("a good password");
  server.add_tenant("elsewhere");
  CheckedClient other = server.admin("elsewhere");
  const HttpReply made =
      other.post("/api/data/user", fmt::format(R"({{"username":"{}","displayName":"Namesake"}})", name));
  const std::string path = fmt::format("/api/data/user/{}/password", made.text("/id"));
  ASSERT_EQ(other.put(path, R"({"password":"another password"})").status, 204);
  CheckedClient client = server.client();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(log_in(client, name, "wrong").status, 400);
  const std::string elsewhere =
      fmt::format(R"({{"username":"{}","password":"another password","tenantId":"elsewhere"}})", name);
  EXPECT_EQ(client.post("/auth/local/login", elsewhere).status, 200);
  EXPECT_EQ(log_in(client, name, "wrong").status, 400);
  EXPECT_EQ(log_in(client, name, "a good password").status, 400) << "locked after five failures";
}

TEST_P(SignIn, names_missing_fields) {
  CheckedClient client = server.client();
  const auto fields = [&](const std::string& body) { return client.post("/auth/local/login", body).wrong_fields(); };
  EXPECT_EQ(fields("{}"), (std::vector<std::string>{"password", "tenantId", "username"}));
  EXPECT_EQ(fields(R"({"username":"admin","password":"x"})"), std::vector<std::string>{"tenantId"});
}

TEST_P(SignIn, takes_the_tenant_from_header_query_or_body_if_they_agree) {
  const std::string body = fmt::format(R"({{"username":"admin","password":"{}"}})", test::admin_password);
  CheckedClient client = server.client();
  EXPECT_EQ(client.post("/auth/local/login", body, {{"x-tenant-id", "default"}}).status, 200);
  EXPECT_EQ(client.post("/auth/local/login?tenantId=default", body).status, 200);
  EXPECT_EQ(client.post("/auth/local/login", body).status, 200) << "the session's tenant";
  EXPECT_EQ(client.post("/auth/local/login?tenantId=other", body, {{"x-tenant-id", "default"}}).code(),
            "TENANT_MISMATCH");
}

TEST_P(SignIn, lists_its_providers) {
  CheckedClient client = server.client();
  EXPECT_EQ(client.post("/auth/chat/login", credentials("admin", "x")).status, 400);
  EXPECT_EQ(client.post("/auth/nobody/login", credentials("admin", "x")).status, 404);
  EXPECT_EQ(client.post("/auth/local/login", credentials("admin", "x", "no-such-tenant")).status, 404);
}

TEST_P(SignIn, finds_the_tenant_by_its_name_if_no_other_has_the_same) {
  CheckedClient client = server.client();
  server.add_tenant("one");
  server.add_tenant("two");
  const auto name_it = [&](const std::string& tenant, const std::string& name) {
    CheckedClient admin = server.admin(tenant);
    ASSERT_EQ(admin.patch("/api/data/tenant/" + tenant, fmt::format(R"({{"name":"{}"}})", name)).status, 200);
  };
  const auto sign_in_to = [&](const std::string& tenant) {
    return client.post("/auth/local/login", credentials("admin", test::admin_password, tenant));
  };
  name_it("one", "The Mug Guild");
  EXPECT_EQ(sign_in_to(" the mug GUILD ").text("/session/user/tenantId"), "one");
  EXPECT_EQ(client.get("/auth/chat/start?tenantId=Nobody").status, 404);
  name_it("two", "the mug guild");
  const HttpReply ambiguous = sign_in_to("The Mug Guild");
  EXPECT_EQ(ambiguous.status, 400);
  EXPECT_EQ(ambiguous.code(), "TENANT_AMBIGUOUS");
  EXPECT_EQ(ambiguous.body.find("one"), std::string::npos) << ambiguous.body;
  EXPECT_EQ(sign_in_to("two").text("/session/user/tenantId"), "two");
  name_it("two", "one");
  EXPECT_EQ(sign_in_to("one").text("/session/user/tenantId"), "one") << "an id goes before a name";
  EXPECT_EQ(sign_in_to("The Mug Guild").text("/session/user/tenantId"), "one");
}

TEST_P(SignIn, rotates_the_session) {
  CheckedClient client = server.admin();
  const CheckedClient before = client;
  ASSERT_EQ(log_in(client, "admin", test::admin_password).status, 200);
  EXPECT_EQ(client.get("/auth/me").status, 200);
  EXPECT_EQ(CheckedClient(before).get("/auth/me").status, 401);
}

TEST_P(SignIn, survives_a_graceful_restart) {
  CheckedClient client = server.admin();
  server.restart();
  CheckedClient again = server.client();
  again.cookies = client.cookies;
  EXPECT_EQ(again.get("/auth/me").status, 200);
}

TEST_P(SignIn, ends_with_either_logout) {
  for (const bool post : {true, false}) {
    CheckedClient client = server.admin();
    CheckedClient thief = client;
    const HttpReply out =
        post ? client.send("POST", "/auth/logout", "", {}) : client.get("/auth/logout?redirectTo=/bye%3Fx");
    EXPECT_EQ(out.status, post ? 200 : 302);
    EXPECT_EQ(out.header("location"), post ? "" : "/bye?x");
    EXPECT_TRUE(client.cookies.empty());
    EXPECT_EQ(thief.get("/auth/me").status, 401);
  }
}

TEST_P(SignIn, logout_redirects_to_non_ascii_paths) {
  CheckedClient client = server.client();
  const HttpReply reply = client.get("/auth/logout?redirectTo=/caf%C3%A9/%E2%82%AC");
  EXPECT_EQ(reply.status, 302);
  EXPECT_EQ(reply.header("location"), "/caf%C3%A9/%E2%82%AC");
}

TEST_P(SignIn, names_every_wrong_parameter) {
  using Fields = std::vector<std::string>;
  CheckedClient client = server.client();
  EXPECT_EQ(client.post("/auth/local/login", R"({"password":5})").wrong_fields(),
            (Fields{"password", "tenantId", "username"}));
  EXPECT_EQ(client.get("/auth/chat/start?mode=loud").wrong_fields(), (Fields{"mode", "tenantId"}));
  EXPECT_EQ(client.get("/auth/chat/callback").wrong_fields(), (Fields{"code", "state"}));
}

TEST_P(SignIn, logout_redirects_to_no_other_site) {
  CheckedClient client = server.client();
  for (const std::string& target :
       std::vector<std::string>{"https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "%2Fa%2F%2Fb", "evil", "%2F%5Cevil",
                                "%2F%0D%0ASet-Cookie%3Ax%3D1", ""}) {
    const HttpReply reply = client.get("/auth/logout?redirectTo=" + target);
    EXPECT_EQ(reply.status, 302);
    EXPECT_EQ(reply.header("location"), "/") << target;
  }
}

TEST_P(SignIn, is_required_by_routes_that_need_a_session) {
  const std::string good = server.admin().cookies.at("service_auth");
  const std::string id = good.substr(0, good.find('.'));
  CheckedClient client = server.client();
  EXPECT_EQ(client.get("/auth/me").code(), "UNAUTHENTICATED");
  for (const std::string& forged : {std::string(""), std::string("."), id, id + ".", id + "." + std::string(43, 'A'),
                                    "x" + good, good + "x", good + "." + good, std::string(500, 'a')}) {
    client.cookies["service_auth"] = forged;
    EXPECT_EQ(client.get("/auth/me").status, 401) << forged;
    EXPECT_EQ(client.get("/api/data/customer").status, 401) << forged;
  }
  client.cookies["service_auth"] = good;
  EXPECT_EQ(client.get("/auth/me").status, 200);
}

TEST_P(SignIn, belongs_to_one_tenant) {
  CheckedClient client = server.admin();
  EXPECT_EQ(client.get("/api/data/customer", {{"x-tenant-id", "default"}}).status, 200);
  const HttpReply other = client.get("/api/data/customer", {{"x-tenant-id", "other"}});
  EXPECT_EQ(other.status, 403);
  EXPECT_EQ(other.code(), "TENANT_MISMATCH");
}

TEST(SignInOptions, local_sign_in_is_off_unless_enabled) {
  TestServer server(test::Engine::sqlite, {{"LOCAL_AUTH_ENABLED", "false"}});
  CheckedClient client = server.client();
  EXPECT_EQ(client.post("/auth/local/login", credentials("admin", test::admin_password)).status, 404);
}

TEST(SignInOptions, https_makes_the_cookie_secure) {
  TestServer server(test::Engine::sqlite, {{"PUBLIC_BASE_URL", "https://shop.example"}});
  CheckedClient client = server.client();
  const HttpReply reply = client.post("/auth/local/login", credentials("admin", test::admin_password));
  EXPECT_TRUE(reply.header("set-cookie").ends_with("; Secure")) << reply.header("set-cookie");
}

}  // namespace
}  // namespace guildhall
