#include "support/chat_sign_in.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/json_lookup.h"
#include "base/url.h"
#include "sandbox/chat_platform.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using sandbox::Fault, sandbox::FaultKind, sandbox::fields_in;
using test::CheckedClient, test::HttpReply;

sandbox::Fields query_of(const std::string& url) {
  return fields_in(url.substr(url.find('?') + 1));
}

class ChatSignIns : public ::testing::TestWithParam<test::Engine> {
 protected:
  ChatSignIns() {
    for (int id = 0; id < 10; ++id) sandbox.add_member(std::to_string(id));
  }

  // Goes to the platform.
  HttpReply start(CheckedClient& by) {
    HttpReply started = by.get("/auth/chat/start?tenantId=default");
    EXPECT_EQ(started.status, 200) << started.body;
    return started;
  }
  std::string begin(CheckedClient& by) { return start(by).text("/state"); }

  HttpReply come_back(CheckedClient& by, const std::string& state, const std::string& code,
                      const test::HttpHeaders& headers = {}) {
    return by.get(fmt::format("/auth/chat/callback?code={}&state={}", code, state), headers);
  }
  HttpReply sign_in(CheckedClient& by, const std::string& member) {
    const HttpReply started = start(by);
    return come_back(by, started.text("/state"), sandbox.consent(started.text("/authorizationUrl"), member));
  }
  std::vector<sandbox::Call> exchanges() { return sandbox.calls("chat", "/oauth2/token"); }
  void expect_no_sign_in(const HttpReply& reply, const std::string& code) {
    EXPECT_EQ(reply.status, 400) << reply.body;
    EXPECT_EQ(reply.code(), code);
    EXPECT_EQ(reply.header("set-cookie"), "");
  }

  test::TestSandbox sandbox;
  test::TestServer server{GetParam(), sign_in_environment(sandbox)};
  CheckedClient client = server.client();
};
INSTANTIATE_TEST_SUITE_P(Pairs, ChatSignIns, test::engines, test::engine_name);

TEST_P(ChatSignIns, lead_to_the_platform_and_back_to_a_session) {
  const HttpReply started = client.get("/auth/chat/start", {{"x-tenant-id", "default"}});
  ASSERT_EQ(started.status, 200) << started.body;
  const std::string url = started.text("/authorizationUrl");
  EXPECT_TRUE(url.starts_with(sandbox.url("/chat/oauth2/authorize?"))) << url;
  auto query = query_of(url);
  EXPECT_EQ(query["response_type"], "code");
  EXPECT_EQ(query["client_id"], test::sandbox_secrets().chat_application());
  EXPECT_EQ(query["scope"], "identify email");
  EXPECT_EQ(query["redirect_uri"], test::chat_callback_url);
  EXPECT_EQ(query["code_challenge_method"], "S256");
  EXPECT_EQ(query["state"], started.text("/state"));
  EXPECT_GE(query["state"].size(), 43u);

  const HttpReply back = come_back(client, started.text("/state"), sandbox.consent(url, "7"));
  ASSERT_EQ(back.status, 200) << back.body;
  EXPECT_EQ(back.text("/session/user/displayName"), "User 7");
  EXPECT_EQ(back.text("/session/user/email"), "user7@example.com");
  EXPECT_EQ(back.text("/session/user/tenantId"), "default");
  EXPECT_NE(back.header("set-cookie").find("Max-Age=604800"), std::string::npos) << "the token's lifetime";
  EXPECT_EQ(client.get("/auth/me").status, 200);

  auto form = fields_in(exchanges().at(0).request_body);
  EXPECT_EQ(form["grant_type"], "authorization_code");
  EXPECT_EQ(form["redirect_uri"], test::chat_callback_url);
  EXPECT_EQ(base64url(sha256(form["code_verifier"])), query["code_challenge"]);
}

TEST_P(ChatSignIns, make_the_first_user_admin_and_find_everybody_again) {
  const HttpReply first = sign_in(client, "1");
  EXPECT_EQ(first.text("/session/permissionKeys/0"), "TenantAdmin");
  CheckedClient second = server.client();
  const HttpReply other = sign_in(second, "2");
  EXPECT_EQ(other.size("/session/permissionKeys"), 0u);
  EXPECT_EQ(second.get("/api/data/customer").status, 403) << "a stranger reads nothing";

  const auto token = JsonLookup::parse(exchanges().at(0).response_body)->text("/access_token");
  sandbox.answer("chat", "/oauth2/token", 200, fmt::format(R"({{"access_token":"{}","token_type":"Bearer"}})", token));
  const HttpReply again = sign_in(client, "1");
  EXPECT_EQ(again.text("/session/user/userId"), first.text("/session/user/userId"));
  EXPECT_NE(again.text("/session/sessionId"), first.text("/session/sessionId"));
  EXPECT_NE(again.header("set-cookie").find("Max-Age=28800"), std::string::npos) << "no expires_in: the default";
}

TEST_P(ChatSignIns, of_many_first_users_at_once_make_one_admin) {
  std::atomic<int> admins = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      CheckedClient own = server.client();
      const HttpReply reply = sign_in(own, std::to_string(i));
      EXPECT_EQ(reply.status, 200) << reply.body;
      if (reply.size("/session/permissionKeys") > 0) ++admins;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(admins, 1);
}

TEST_P(ChatSignIns, of_one_user_many_times_at_once_make_one_user) {
  std::array<std::string, 8> ids;
  std::vector<std::thread> threads;
  for (std::string& id : ids) {
    threads.emplace_back([&] {
      CheckedClient own = server.client();
      id = sign_in(own, "5").text("/session/user/userId");
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), 1u);
}

TEST_P(ChatSignIns, never_become_somebody_else_by_a_name_or_an_email) {
  CheckedClient admin = server.admin();
  const std::string local =
      admin.post("/api/data/user", R"({"username":"user9","displayName":"Local","email":"user9@example.com"})")
          .text("/id");
  const HttpReply reply = sign_in(client, "9");
  ASSERT_EQ(reply.status, 200);
  EXPECT_NE(reply.text("/session/user/userId"), local);
  sandbox.run([](sandbox::World& world) {
    world.chat->guild.members.push_back({.id = "66", .username = "admin", .display_name = "Admin"});
  });
  const HttpReply named_admin = sign_in(client, "66");
  EXPECT_EQ(named_admin.size("/session/permissionKeys"), 0u);
  EXPECT_NE(named_admin.text("/session/user/userId"), admin.get("/auth/me").text("/session/user/userId"));
}

TEST_P(ChatSignIns, in_redirect_mode_are_bound_to_the_browser) {
  const HttpReply started =
      client.get("/auth/chat/start?tenantId=default&mode=redirect&postLoginRedirect=/console?tab=1");
  ASSERT_EQ(started.status, 302) << started.body;
  const std::string state = query_of(started.header("location"))["state"];
  CheckedClient another = server.client();
  expect_no_sign_in(come_back(another, state, "1"), "INVALID_STATE");
  expect_no_sign_in(come_back(client, state, "1"), "INVALID_STATE");

  const HttpReply once_more =
      client.get("/auth/chat/start?tenantId=default&mode=redirect&postLoginRedirect=/console?tab=1");
  const std::string url = once_more.header("location");
  const HttpReply back = come_back(client, query_of(url)["state"], sandbox.consent(url, "1"));
  EXPECT_EQ(back.status, 302) << back.body;
  EXPECT_EQ(back.header("location"), "/console?tab=1");
  EXPECT_EQ(client.cookies.count("service_oauth"), 0u);
  EXPECT_EQ(client.get("/auth/me").status, 200);
}

const test::HttpHeaders browser_fetch{{"Sec-Fetch-Mode", "cors"}, {"Sec-Fetch-Site", "same-origin"}};
const test::HttpHeaders browser_navigation{{"Sec-Fetch-Mode", "navigate"}, {"Sec-Fetch-Site", "cross-site"}};

TEST_P(ChatSignIns, that_a_program_began_are_not_completed_by_a_browser_that_follows_a_link) {
  CheckedClient victim = server.admin();
  for (const test::HttpHeaders& headers : {browser_navigation, browser_fetch}) {
    const HttpReply started = start(client);
    EXPECT_EQ(client.cookies.count("service_oauth"), 0u) << "a program needs no cookie";
    const std::string code = sandbox.consent(started.text("/authorizationUrl"), "1");
    expect_no_sign_in(come_back(victim, started.text("/state"), code, headers), "INVALID_STATE");
  }
  EXPECT_EQ(victim.get("/auth/me").text("/session/permissionKeys/0"), "PlatformAdmin") << "still the same session";
}

TEST_P(ChatSignIns, in_json_mode_are_bound_to_the_browser_that_begins_them) {
  const auto begin_in_browser = [&] { return client.get("/auth/chat/start?tenantId=default", browser_fetch); };
  const HttpReply started = begin_in_browser();
  ASSERT_EQ(started.status, 200) << started.body;
  EXPECT_EQ(client.cookies.count("service_oauth"), 1u);
  CheckedClient another = server.client();
  const std::string code = sandbox.consent(started.text("/authorizationUrl"), "1");
  expect_no_sign_in(come_back(another, started.text("/state"), code, browser_navigation), "INVALID_STATE");

  const HttpReply once_more = begin_in_browser();
  const std::string url = once_more.text("/authorizationUrl");
  const HttpReply back = come_back(client, once_more.text("/state"), sandbox.consent(url, "1"), browser_navigation);
  EXPECT_EQ(back.status, 200) << back.body;
  EXPECT_EQ(client.get("/auth/me").status, 200);
}

TEST_P(ChatSignIns, are_refused_with_a_state_that_is_not_theirs) {
  server.add_tenant("other");
  const HttpReply started = start(client);
  const std::string state = started.text("/state"), code = sandbox.consent(started.text("/authorizationUrl"), "1");
  EXPECT_EQ(come_back(client, state, code).status, 200);
  client.cookies.clear();
  expect_no_sign_in(come_back(client, state, "2"), "INVALID_STATE");
  expect_no_sign_in(come_back(client, "made-up", "2"), "INVALID_STATE");
  expect_no_sign_in(come_back(client, begin(client), "3", {{"x-tenant-id", "other"}}), "INVALID_STATE");
  EXPECT_EQ(client.get("/auth/chat/callback?code=1").wrong_fields(), std::vector<std::string>{"state"});
  EXPECT_EQ(client.get("/auth/chat/callback?state=" + begin(client)).wrong_fields(), std::vector<std::string>{"code"});
  expect_no_sign_in(client.get("/auth/chat/callback?error=access_denied&state=" + begin(client)), "ACCESS_DENIED");
  const std::string swapped = begin(client);
  EXPECT_EQ(client.get("/auth/local/callback?code=1&state=" + swapped).status, 400);
  EXPECT_EQ(client.get("/auth/other/callback?code=1&state=" + swapped).status, 404);
  expect_no_sign_in(come_back(client, begin(client), code), "TOKEN_EXCHANGE_FAILED");  // a code that was used
  EXPECT_EQ(client.get("/auth/me").status, 401);
  EXPECT_EQ(exchanges().size(), 2u);
}

TEST_P(ChatSignIns, succeed_once_for_one_state) {
  const HttpReply started = start(client);
  const std::string state = started.text("/state");
  std::atomic<int> signed_in = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      CheckedClient own = server.client();
      const std::string code = sandbox.consent(started.text("/authorizationUrl"), "5");
      if (come_back(own, state, code).status == 200) ++signed_in;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(signed_in, 1);
}

TEST_P(ChatSignIns, start_only_with_safe_addresses) {
  const auto start = [&](std::string_view name, std::string_view value) {
    return client.get(fmt::format("/auth/chat/start?tenantId=default&{}={}", name, url_encode(value))).status;
  };
  EXPECT_EQ(start("redirectUri", test::chat_callback_url), 200);
  EXPECT_EQ(start("redirectUri", "https://app.example.com/back"), 200);
  for (const std::string_view bad :
       {"https://app.example.com/back/", "https://app.example.com/back?x=1", "https://app.example.com/backs",
        "http://app.example.com/back", "https://APP.example.com/back", "https://app.example.com:443/back",
        "https://evil.example.com", "//app.example.com/back", "javascript:alert(1)", "/back"}) {
    EXPECT_EQ(start("redirectUri", bad), 400) << bad;
  }
  for (const std::string_view good : {"/", "/console", "/a/b?c=d&e=/f"}) {
    EXPECT_EQ(start("postLoginRedirect", good), 200) << good;
  }
  for (const std::string_view bad : {"//evil.example.com", "https://evil.example.com", "console", "/\\evil", "/a//b",
                                     "/a\r\nSet-Cookie: x=1", "/a b", "/\t/evil", "\\\\evil"}) {
    EXPECT_EQ(start("postLoginRedirect", bad), 400) << bad;
  }
  EXPECT_EQ(start("mode", "other"), 400);
  EXPECT_EQ(client.get("/auth/chat/start").wrong_fields(), std::vector<std::string>{"tenantId"});
  const HttpReply all_wrong = client.get("/auth/chat/start?tenantId=nobody&mode=x&redirectUri=/a&postLoginRedirect=b");
  EXPECT_EQ(all_wrong.wrong_fields(), (std::vector<std::string>{"mode", "postLoginRedirect", "redirectUri"}))
      << "400 comes before 404: " << all_wrong.body;
  EXPECT_EQ(client.get("/auth/chat/start?tenantId=nowhere").status, 404);
  EXPECT_EQ(client.get("/auth/local/start?tenantId=default").status, 400);
  EXPECT_EQ(client.get("/auth/other/start?tenantId=default").status, 404);
  EXPECT_EQ(client.post("/auth/chat/login", R"({"username":"a","password":"b","tenantId":"default"})").status, 400);
}

TEST_P(ChatSignIns, need_valid_replies_of_the_platform) {
  const std::string refused = "TOKEN_EXCHANGE_FAILED", unreachable = "AUTH_PROVIDER_UNREACHABLE";
  const auto expect = [&](const std::string& path, Fault fault, const std::string& code) {
    fault.path = path;
    sandbox.fail("chat", fault);
    expect_no_sign_in(sign_in(client, "1"), code);
  };
  const auto answered = [](int status, const std::string& body) {
    return Fault{.kind = FaultKind::answer, .status = status, .body = body};
  };
  const std::string token = "/oauth2/token", user = "/users/@me";
  expect(token, answered(400, "{}"), refused);
  expect(token, {.kind = FaultKind::answer, .status = 302, .headers = {{"Location", sandbox.url("/chat/users/@me")}}},
         refused);
  expect(token, {.kind = FaultKind::error}, unreachable);
  expect(token, {.kind = FaultKind::rubbish}, refused);
  for (const char* body : {"", "[]", "{}", R"({"access_token":7})", R"({"access_token":"a\r\nX-Evil: 1"})",
                           R"({"access_token":"a","expires_in":-5})", R"({"access_token":"a","expires_in":"soon"})"}) {
    expect(token, answered(200, body), refused);
  }
  expect(token, answered(200, R"({"access_token":"a"})" + std::string(2 << 20, ' ')), unreachable);
  expect(token, {.kind = FaultKind::dropped}, unreachable);
  expect(token, {.kind = FaultKind::timeout}, unreachable);
  expect(user, answered(401, "{}"), refused);
  expect(user, {.kind = FaultKind::error}, unreachable);
  expect(user, {.kind = FaultKind::rubbish}, refused);
  for (const char* body : {R"({"username":"x"})", R"({"id":5,"username":"x"})", R"({"id":" ","username":"x"})"}) {
    expect(user, answered(200, body), refused);
  }
  sandbox.recover("chat");
  const HttpReply started = start(client);
  const std::string code = sandbox.consent(started.text("/authorizationUrl"), "1");
  sandbox.stop();
  expect_no_sign_in(come_back(client, started.text("/state"), code), unreachable);
  EXPECT_EQ(client.get("/auth/me").status, 401);
  CheckedClient admin = server.admin();
  EXPECT_EQ(admin.get("/api/data/user").size("/items"), 1u) << "nobody but the admin was made";
}

TEST_P(ChatSignIns, are_configured_by_a_tenant_whose_secret_is_never_shown) {
  CheckedClient admin = server.admin();
  const std::string path = "/api/admin/auth-providers/chat";
  EXPECT_EQ(admin.get(path).text("/source"), "ENVIRONMENT");
  const HttpReply set = admin.put(
      path, R"({"clientId":"own","clientSecret":"a-secret-of-our-own","redirectUri":"https://app.example.com/back"})");
  ASSERT_EQ(set.status, 200) << set.body;
  EXPECT_EQ(set.text("/source"), "TENANT");
  EXPECT_TRUE(set.boolean("/hasClientSecret"));
  EXPECT_EQ(set.body.find("a secret"), std::string::npos);
  EXPECT_EQ(admin.get(path).body, set.body);
  std::string kept;
  server.write([&](Tx& tx) {
    static const Sql sql("SELECT client_secret FROM auth_providers");
    tx.run({&sql, {}}, [&](const Row& row) { kept = row.text(0); });
  });
  EXPECT_FALSE(kept.empty());
  EXPECT_EQ(kept.find("secret"), std::string::npos);

  const HttpReply started = client.get("/auth/chat/start?tenantId=default");
  EXPECT_EQ(query_of(started.text("/authorizationUrl"))["client_id"], "own");
  come_back(client, started.text("/state"), "1");
  EXPECT_EQ(fields_in(exchanges().at(0).request_body)["client_secret"], "a-secret-of-our-own");
  EXPECT_EQ(admin.put(path, R"({"scopes":"identify"})").text("/clientId"), "own");
  EXPECT_EQ(admin.put(path, R"({"clientSecret":null})").status, 200);
  EXPECT_EQ(client.get("/auth/chat/start?tenantId=default").code(), "AUTH_PROVIDER_MISCONFIGURED");
  EXPECT_EQ(admin.put(path, R"({"clientId":null})").text("/source"), "ENVIRONMENT");
  EXPECT_EQ(admin.put(path, R"({"scopes":"x"})").wrong_fields(), std::vector<std::string>{"clientId"});
  EXPECT_EQ(admin.put(path, R"({"clientId":"x","redirectUri":"nowhere"})").status, 400);
  EXPECT_EQ(admin.put(path, R"({"clientId":"a\r\nb","clientSecret":"a\tb"})").wrong_fields(),
            (std::vector<std::string>{"clientId", "clientSecret"}));
  EXPECT_EQ(admin.get("/api/admin/auth-providers/local").status, 404);
}

TEST(ChatSignInWithoutSettings, is_not_offered_and_stores_no_secret) {
  test::TestServer server(test::Engine::sqlite, {{"SERVICE_MASTER_KEY", ""}});
  CheckedClient admin = server.admin();
  EXPECT_EQ(admin.get("/auth/chat/start?tenantId=default").status, 404);
  EXPECT_EQ(admin.get("/api/admin/auth-providers/chat").text("/source"), "NONE");
  const HttpReply refused =
      admin.put("/api/admin/auth-providers/chat", R"({"clientId":"own","clientSecret":"a-secret"})");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.code(), "MASTER_KEY_MISSING");
  EXPECT_EQ(admin.put("/api/admin/auth-providers/chat", R"({"clientId":"own"})").status, 200);
  EXPECT_EQ(admin.get("/auth/chat/start?tenantId=default").code(), "AUTH_PROVIDER_MISCONFIGURED");
}

}  // namespace
}  // namespace guildhall
