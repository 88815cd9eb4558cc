#include "features/identity/second_factor.h"

#include <deque>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "base/password.h"
#include "features/identity/grants.h"
#include "features/identity/sessions.h"
#include "features/identity/user_store.h"
#include "support/authenticator.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::code_at, test::code_body, test::from_base32, test::password_body;

const std::string own = "/auth/second-factor";
const std::string own_password = "a good password";

class SecondFactors : public test::OnEachPair {
 protected:
  struct Person {
    std::string id, username;
    std::string secret;                       // base32
    std::vector<std::string> recovery_codes;  // of the confirmation
  };

  Person person(const std::vector<std::string>& keys = {}) {
    static const std::string hash = hash_password("a good password");
    NewUser input;
    input.username.value = input.display_name.value = test::fresh_name();
    User user = user_from(input, TenantId(std::string("default")), now());
    user.password_hash.value = hash;
    user.password_set_by.value = user.id.text();
    server.write([&](Tx& tx) {
      insert_user(tx, user);
      for (const std::string& key : keys) add_grant(tx, user.tenant_id, user.id, key, now());
    });
    return {.id = user.id.text(), .username = user.username, .secret = {}, .recovery_codes = {}};
  }

  HttpReply log_in(CheckedClient& client, const Person& who, const std::string& code = "") {
    const std::string more = code.empty() ? "" : fmt::format(R"(,"code":"{}")", code);
    return client.post(
        "/auth/local/login",
        fmt::format(R"({{"username":"{}","password":"a good password","tenantId":"default"{}}})", who.username, more));
  }
  HttpReply log_in(const Person& who, const std::string& code = "") {
    CheckedClient client = server.client();
    return log_in(client, who, code);
  }
  // Signs in without a code; for users without a confirmed second factor.
  CheckedClient client_of(const Person& who) {
    CheckedClient client = server.client();
    EXPECT_EQ(log_in(client, who).status, 200);
    return client;
  }

  void enrol(CheckedClient& client, Person& who, std::string_view password = own_password) {
    const HttpReply enrolled = client.post(own, password_body(password));
    ASSERT_EQ(enrolled.status, 200) << enrolled.body;
    who.secret = enrolled.text("/secret");
    const HttpReply confirmed = client.post(own + "/confirm", code_body(code_at(who.secret, 0)));
    ASSERT_EQ(confirmed.status, 200) << confirmed.body;
    for (std::size_t i = 0; i < confirmed.size("/recoveryCodes"); ++i) {
      who.recovery_codes.push_back(confirmed.text(fmt::format("/recoveryCodes/{}", i)));
    }
    forget_steps();  // so that the same code can be used again
  }
  void forget_steps() { run("UPDATE second_factors SET last_step = 0"); }
  void run(const std::string& text) {
    const Sql& sql = statements.emplace_back(text);
    server.write([&](Tx& tx) { tx.run({&sql, {}}); });
  }
  void require_second_factor(bool required) {
    run("DELETE FROM tenant_settings");
    if (required) {
      run("INSERT INTO tenant_settings (tenant_id, updated_at, version, require_second_factor)"
          " VALUES ('default', 0, 1, true)");
    }
  }

  std::deque<Sql> statements;  // engines recognise a statement by its address, so each is kept
  CheckedClient admin = server.member("default", "TenantAdmin");
};
INSTANTIATE_TEST_SUITE_P(Pairs, SecondFactors, test::engines, test::engine_name);

TEST_P(SecondFactors, are_asked_for_after_they_are_confirmed) {
  Person ada = person({"data.read"});
  CheckedClient client = client_of(ada);
  const HttpReply enrolled = client.post(own, password_body(own_password));
  ASSERT_EQ(enrolled.status, 200);
  EXPECT_EQ(enrolled.text("/secret").size(), 32U);
  EXPECT_TRUE(enrolled.text("/uri").starts_with("otpauth://totp/")) << enrolled.text("/uri");
  EXPECT_NE(enrolled.text("/uri").find("secret=" + enrolled.text("/secret")), std::string::npos);
  EXPECT_FALSE(client.get(own).boolean("/enrolled"));
  EXPECT_EQ(log_in(ada).status, 200) << "not confirmed yet";
  EXPECT_EQ(client.post(own + "/confirm", code_body("000000")).code(), "SECOND_FACTOR_INVALID");

  enrol(client, ada);
  EXPECT_EQ(ada.recovery_codes.size(), 10U);
  EXPECT_TRUE(client.get(own).boolean("/enrolled"));
  EXPECT_EQ(client.get(own).integer("/recoveryCodesLeft"), 10);
  EXPECT_EQ(client.post(own, password_body(own_password)).code(), "SECOND_FACTOR_ENROLLED");
  EXPECT_EQ(client.get("/api/data/order").status, 200) << "the present session goes on";

  const HttpReply without = log_in(ada);
  EXPECT_EQ(without.status, 400);
  EXPECT_EQ(without.code(), "SECOND_FACTOR_REQUIRED");
  EXPECT_EQ(log_in(ada, "123").code(), "SECOND_FACTOR_INVALID");
  EXPECT_EQ(log_in(ada, code_at(ada.secret, -5)).code(), "SECOND_FACTOR_INVALID");
  EXPECT_EQ(log_in(ada, code_at(ada.secret, 0)).status, 200);
}

TEST_P(SecondFactors, are_enrolled_only_by_who_knows_the_password) {
  const Person ada = person(), bob = person();
  CheckedClient client = client_of(ada), other = client_of(bob);
  EXPECT_TRUE(client.get(own).boolean("/passwordRequired"));
  EXPECT_EQ(client.post(own, "").wrong_fields(), std::vector<std::string>{"password"});
  EXPECT_EQ(client.post(own, "{}").wrong_fields(), std::vector<std::string>{"password"});
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(client.post(own, password_body("a guess")).code(), "INVALID_CREDENTIALS") << i;
  }
  EXPECT_EQ(client.post(own, password_body(own_password)).code(), "INVALID_CREDENTIALS") << "locked";
  EXPECT_EQ(other.post(own, password_body(own_password)).status, 200) << "each user counts alone";
  CheckedClient default_admin = server.admin();
  EXPECT_EQ(default_admin.post(own, password_body("a guess")).code(), "INVALID_CREDENTIALS");
  EXPECT_EQ(default_admin.post(own, password_body(test::admin_password)).status, 200);
}

TEST_P(SecondFactors, are_enrolled_without_a_password_by_who_has_none) {
  const Person ada = person();
  CheckedClient client = client_of(ada);
  run("UPDATE users SET password_hash = NULL");
  EXPECT_FALSE(client.get(own).boolean("/passwordRequired"));
  EXPECT_EQ(client.post(own, "").status, 200);
}

TEST_P(SecondFactors, do_not_reveal_anything_to_who_does_not_know_the_password) {
  Person ada = person();
  CheckedClient client = client_of(ada);
  enrol(client, ada);
  CheckedClient guesser = server.client();
  const auto guess = [&](const std::string& username, const std::string& code) {
    return guesser
        .post("/auth/local/login", fmt::format(R"({{"username":"{}","password":"wrong","tenantId":"default"{}}})",
                                               username, code.empty() ? "" : R"(,"code":")" + code + "\""))
        .body;
  };
  EXPECT_EQ(guess(ada.username, ""), guess(test::fresh_name(), ""));
  EXPECT_EQ(guess(ada.username, code_at(ada.secret, 0)), guess(test::fresh_name(), "123456"));
}

TEST_P(SecondFactors, take_each_code_once) {
  Person ada = person();
  CheckedClient client = client_of(ada);
  enrol(client, ada);
  const std::string code = code_at(ada.secret, 0), earlier = code_at(ada.secret, -1);
  EXPECT_EQ(log_in(ada, code).status, 200);
  EXPECT_EQ(log_in(ada, code).code(), "SECOND_FACTOR_INVALID");
  EXPECT_EQ(log_in(ada, earlier).code(), "SECOND_FACTOR_INVALID") << "an older code does not count after a newer one";
}

TEST_P(SecondFactors, take_a_code_from_one_of_several_at_once) {
  Person ada = person();
  CheckedClient client = client_of(ada);
  enrol(client, ada);
  for (const std::string& code : {code_at(ada.secret, 0), ada.recovery_codes[0]}) {
    constexpr int attempts = 4;
    std::array<int, attempts> statuses{};
    std::vector<std::thread> threads;
    for (int i = 0; i < attempts; ++i) {
      threads.emplace_back([&, i] { statuses[static_cast<std::size_t>(i)] = log_in(ada, code).status; });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(std::count(statuses.begin(), statuses.end(), 200), 1) << code;
    run("UPDATE second_factors SET failures = 0");
  }
}

TEST_P(SecondFactors, take_each_recovery_code_once_and_in_any_spelling) {
  Person ada = person();
  CheckedClient client = client_of(ada);
  enrol(client, ada);
  EXPECT_EQ(log_in(ada, ada.recovery_codes[0]).status, 200);
  EXPECT_EQ(log_in(ada, ada.recovery_codes[0]).code(), "SECOND_FACTOR_INVALID");
  std::string typed = ada.recovery_codes[1];
  std::erase(typed, '-');
  std::transform(typed.begin(), typed.end(), typed.begin(), [](unsigned char c) { return std::tolower(c); });
  EXPECT_EQ(log_in(ada, typed).status, 200);
  EXPECT_EQ(client.get(own).integer("/recoveryCodesLeft"), 8);
  const HttpReply renewed = client.post(own + "/recovery-codes", code_body(code_at(ada.secret, 0)));
  ASSERT_EQ(renewed.status, 200) << renewed.body;
  EXPECT_EQ(client.get(own).integer("/recoveryCodesLeft"), 10);
  EXPECT_EQ(log_in(ada, ada.recovery_codes[2]).code(), "SECOND_FACTOR_INVALID");
  EXPECT_EQ(log_in(ada, renewed.text("/recoveryCodes/0")).status, 200);
}

TEST_P(SecondFactors, cannot_be_guessed) {
  Person ada = person();
  CheckedClient client = client_of(ada);
  enrol(client, ada);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(log_in(ada, "not-a-code").status, 400);
  EXPECT_EQ(log_in(ada, code_at(ada.secret, 0)).status, 200) << "a success resets the count";
  forget_steps();
  const std::string wrong = log_in(ada, "not-a-code").body;
  for (int i = 0; i < 4; ++i) EXPECT_EQ(log_in(ada, "not-a-code").status, 400);
  EXPECT_EQ(log_in(ada, code_at(ada.secret, 0)).body, wrong) << "locked, with the same answer";
  EXPECT_EQ(log_in(ada, ada.recovery_codes[0]).body, wrong);
  EXPECT_EQ(client.post(own + "/disable", code_body(ada.recovery_codes[0])).code(), "SECOND_FACTOR_INVALID");
  run("UPDATE second_factors SET failures_since = 1");
  EXPECT_EQ(log_in(ada, code_at(ada.secret, 0)).status, 200) << "15 minutes later";
}

TEST_P(SecondFactors, are_disabled_with_a_code) {
  Person ada = person();
  CheckedClient client = client_of(ada);
  EXPECT_EQ(client.post(own + "/disable", code_body("000000")).code(), "SECOND_FACTOR_MISSING");
  enrol(client, ada);
  EXPECT_EQ(client.post(own + "/disable", code_body("000000")).code(), "SECOND_FACTOR_INVALID");
  EXPECT_EQ(client.post(own + "/disable", code_body(ada.recovery_codes[3])).status, 204);
  EXPECT_EQ(log_in(ada).status, 200);
  EXPECT_EQ(client.get(own).integer("/recoveryCodesLeft"), 0);
}

TEST_P(SecondFactors, are_removed_by_an_admin_of_sufficient_rank) {
  Person ada = person({"data.read"});
  CheckedClient client = client_of(ada);
  enrol(client, ada);
  CheckedClient clerk = server.member("default", "admin.access");
  const std::string path = "/api/data/user/" + ada.id + "/second-factor";
  EXPECT_EQ(clerk.del(path).status, 403);
  EXPECT_EQ(log_in(ada).status, 400);
  EXPECT_EQ(admin.del(path).status, 204);
  EXPECT_EQ(log_in(ada).status, 200);

  Person boss = person({"TenantAdmin"});
  CheckedClient boss_client = client_of(boss);
  enrol(boss_client, boss);
  EXPECT_EQ(boss_client.del("/api/data/user/" + boss.id + "/second-factor").status, 403) << "that needs a code";
}

TEST_P(SecondFactors, outlast_a_new_password) {
  Person ada = person();
  CheckedClient client = client_of(ada);
  enrol(client, ada);
  ASSERT_EQ(admin.put("/api/data/user/" + ada.id + "/password", R"({"password":"a good password"})").status, 204);
  EXPECT_EQ(log_in(ada).code(), "SECOND_FACTOR_REQUIRED");
}

TEST_P(SecondFactors, are_stored_sealed_and_never_in_the_audit_trail) {
  Person ada = person();
  CheckedClient client = client_of(ada);
  enrol(client, ada);
  const std::string secret = from_base32(ada.secret);
  static const Sql stored("SELECT sealed_secret FROM second_factors"), codes("SELECT code_hash FROM recovery_codes");
  server.write([&](Tx& tx) {
    tx.run({&stored, {}}, [&](const Row& row) {
      EXPECT_EQ(row.text(0).find(secret), std::string_view::npos);
      EXPECT_EQ(row.text(0).find(ada.secret), std::string_view::npos);
    });
    EXPECT_EQ(tx.run({&codes, {}}, [&](const Row& row) { EXPECT_EQ(row.text(0).size(), 64U); }), 10);
  });
  const std::string trail = admin.get("/api/admin/audit").body;
  EXPECT_NE(trail.find("second_factor_confirmed"), std::string::npos);
  EXPECT_EQ(trail.find(ada.secret), std::string::npos);
  EXPECT_EQ(trail.find(ada.recovery_codes[0]), std::string::npos);
}

TEST_P(SecondFactors, also_protect_the_default_admin) {
  CheckedClient platform = server.admin();
  Person operator_of_all;
  enrol(platform, operator_of_all, test::admin_password);
  CheckedClient client = server.client();
  const auto sign_in = [&](const std::string& code) {
    return client
        .post("/auth/local/login",
              fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default","code":{}}})",
                          test::admin_password, code))
        .status;
  };
  EXPECT_EQ(sign_in("null"), 400);
  EXPECT_EQ(sign_in("\"" + code_at(operator_of_all.secret, 0) + "\""), 200);
}

TEST_P(SecondFactors, can_be_required_by_a_tenant_admin_who_has_one) {
  const std::string settings = "/api/admin/settings", on = R"({"requireSecondFactor":true})";
  CheckedClient clerk = server.member("default", "admin.access");
  EXPECT_EQ(clerk.put(settings, on).status, 403);
  EXPECT_EQ(admin.put(settings, on).code(), "SECOND_FACTOR_MISSING");
  Person boss = person({"TenantAdmin"});
  CheckedClient client = client_of(boss);
  enrol(client, boss);
  const HttpReply changed = client.put(settings, on);
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_TRUE(changed.boolean("/requireSecondFactor"));
  EXPECT_TRUE(client.get(settings).boolean("/requireSecondFactor"));
  EXPECT_EQ(client.put(settings, R"({"orderExpiryMinutes":5})").boolean("/requireSecondFactor"), true);
  EXPECT_EQ(client.get("/api/admin/audit").status, 200);
  EXPECT_TRUE(client.get(own).boolean("/required"));
}

TEST_P(SecondFactors, limit_the_sessions_of_users_without_one_where_they_are_required) {
  require_second_factor(true);
  Person ada = person({"TenantAdmin"});
  CheckedClient client = server.client();
  const HttpReply signed_in = log_in(client, ada);
  ASSERT_EQ(signed_in.status, 200);
  EXPECT_EQ(signed_in.size("/session/permissionKeys"), 0U);
  for (const char* path : {"/api/data/order", "/api/admin/audit", "/api/admin/settings"}) {
    const HttpReply refused = client.get(path);
    EXPECT_EQ(refused.status, 403);
    EXPECT_EQ(refused.code(), "SECOND_FACTOR_NOT_ENROLLED");
  }
  EXPECT_EQ(client.get("/auth/me").size("/session/permissionKeys"), 0U);
  EXPECT_TRUE(client.get(own).boolean("/required"));
  enrol(client, ada);
  EXPECT_EQ(client.get("/api/admin/audit").status, 200) << "at once, in the same session";
  ASSERT_EQ(client.post(own + "/disable", code_body(ada.recovery_codes[0])).status, 204);
  EXPECT_EQ(client.get("/api/admin/audit").code(), "SECOND_FACTOR_NOT_ENROLLED");
}

TEST_P(SecondFactors, are_required_in_that_tenant_only) {
  require_second_factor(true);
  server.add_tenant("other");
  Person ada = person({"data.read"});
  server.write([&](Tx& tx) { add_grant(tx, TenantId(std::string("other")), UserId(ada.id), "data.read", now()); });
  CheckedClient client = client_of(ada);
  EXPECT_EQ(client.get("/api/data/order").status, 403);
  ASSERT_EQ(client.post("/auth/tenant", R"({"tenantId":"other"})").status, 200);
  EXPECT_EQ(client.get("/api/data/order").status, 200);
  ASSERT_EQ(client.post("/auth/tenant", R"({"tenantId":"default"})").status, 200);
  EXPECT_EQ(client.get("/api/data/order").code(), "SECOND_FACTOR_NOT_ENROLLED");
}

TEST_P(SecondFactors, are_not_required_of_tokens_and_of_sessions_through_the_chat_platform) {
  const std::string token = admin.post("/api/admin/tokens", R"({"name":"x","keys":["data.read"]})").text("/token");
  Person ada = person({"data.read"});
  require_second_factor(true);
  CheckedClient program = server.client();
  EXPECT_EQ(program.get("/api/data/order", {{"Authorization", "Bearer " + token}}).status, 200);
  const TenantId tenant(std::string("default"));
  server.write([&](Tx& tx) {
    const auto user = tx.one(user_by_id(tenant, UserId(ada.id)));
    EXPECT_TRUE(session_for(tx, *user, tenant, tenant, "local").must_enrol);
    EXPECT_FALSE(session_for(tx, *user, tenant, tenant, "chat").must_enrol);
    EXPECT_FALSE(session_for(tx, *user, tenant, tenant, "tenant-chat").must_enrol);
  });
}

TEST_P(SecondFactors, end_with_their_user) {
  Person ada = person();
  CheckedClient client = client_of(ada);
  enrol(client, ada);
  ASSERT_EQ(admin.del("/api/data/user/" + ada.id).status, 204);
  static const Sql left("SELECT user_id FROM second_factors UNION ALL SELECT user_id FROM recovery_codes");
  server.write([&](Tx& tx) { EXPECT_EQ(tx.run({&left, {}}), 0); });
}

}  // namespace
}  // namespace guildhall
