// Changing one's own password, and links that reset the password of a user.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "features/identity/grants.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

class Passwords : public test::OnEachPair {
 protected:
  struct Person {
    std::string id, username;
  };
  // A user with a password that a PlatformAdmin has set.
  Person person(const std::string& keys = "") {
    Person made{.id = {}, .username = test::fresh_name()};
    made.id = platform.post("/api/data/user", fmt::format(R"({{"username":"{}","displayName":"Ada"}})", made.username))
                  .text("/id");
    platform.put("/api/data/user/" + made.id + "/password", R"({"password":"the first one"})");
    platform.put("/api/admin/grants/" + made.id, fmt::format(R"({{"keys":[{}]}})", keys));
    return made;
  }
  HttpReply log_in(CheckedClient& client, const Person& who, std::string_view password) {
    return client.post("/auth/local/login", fmt::format(R"({{"username":"{}","password":"{}","tenantId":"default"}})",
                                                        who.username, password));
  }
  CheckedClient signed_in(const Person& who, std::string_view password = "the first one") {
    CheckedClient client = server.client();
    EXPECT_EQ(log_in(client, who, password).status, 200);
    return client;
  }
  static HttpReply change(CheckedClient& by, std::string_view current, std::string_view wanted) {
    return by.put("/auth/password", fmt::format(R"({{"currentPassword":"{}","newPassword":"{}"}})", current, wanted));
  }
  static std::string resets(const std::string& user) { return "/api/data/user/" + user + "/password-reset"; }
  // The path to which the link leads.
  static std::string reset_path(CheckedClient& by, const std::string& user) {
    const HttpReply made = by.post(resets(user), "");
    EXPECT_EQ(made.status, 201) << made.body;
    const std::string link = made.text("/link");
    EXPECT_NE(link.find("/console/password-reset#gr_"), std::string::npos);
    return "/auth/password-reset/" + link.substr(link.find('#') + 1);
  }
  HttpReply use(const std::string& path, std::string_view password = "the new one") {
    CheckedClient client = server.client();
    return client.post(path, fmt::format(R"({{"newPassword":"{}"}})", password));
  }

  CheckedClient platform = server.admin();
  CheckedClient admin = server.member("default", "TenantAdmin");
};
INSTANTIATE_TEST_SUITE_P(Pairs, Passwords, test::engines, test::engine_name);

TEST_P(Passwords, are_changed_by_their_owner_and_end_the_other_sessions) {
  const Person ada = person();
  CheckedClient here = signed_in(ada), elsewhere = signed_in(ada);
  const auto old_cookies = here.cookies;
  EXPECT_EQ(change(here, "a wrong one", "the second one").code(), "INVALID_CREDENTIALS");
  EXPECT_EQ(change(here, "the first one", "short").wrong_fields(), std::vector<std::string>{"newPassword"});
  const HttpReply changed = change(here, "the first one", "the second one");
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(here.get("/auth/me").status, 200) << "a new session replaces the present one";
  EXPECT_EQ(elsewhere.get("/auth/me").status, 401);
  CheckedClient old = server.client();
  old.cookies = old_cookies;
  EXPECT_EQ(old.get("/auth/me").status, 401);
  CheckedClient later = server.client();
  EXPECT_EQ(log_in(later, ada, "the first one").status, 400);
  EXPECT_EQ(log_in(later, ada, "the second one").status, 200);
}

TEST_P(Passwords, cannot_be_guessed_with_a_stolen_session) {
  const Person ada = person();
  CheckedClient thief = signed_in(ada);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(change(thief, "a wrong one", "the second one").status, 400);
  EXPECT_EQ(change(thief, "the first one", "the second one").code(), "INVALID_CREDENTIALS") << "locked";
  CheckedClient owner = server.client();
  EXPECT_EQ(log_in(owner, ada, "the first one").status, 200) << "sign-in is counted separately";
}

TEST_P(Passwords, that_are_not_stored_cannot_be_changed) {
  EXPECT_EQ(change(platform, test::admin_password, "the second one").code(), "NO_PASSWORD");
}

TEST_P(Passwords, are_changed_by_one_of_two_at_once) {
  const Person ada = person();
  CheckedClient one = signed_in(ada), two = signed_in(ada);
  int first = 0, second = 0;
  std::thread thread([&] { first = change(one, "the first one", "of the one").status; });
  second = change(two, "the first one", "of the other").status;
  thread.join();
  EXPECT_EQ((first == 200) + (second == 200), 1) << first << " " << second;
}

TEST_P(Passwords, that_a_user_changes_still_count_as_set_by_who_set_the_first) {
  const std::string username = test::fresh_name();
  CheckedClient clerk = server.member("default", "admin.access");
  const std::string id =
      clerk.post("/api/data/user", fmt::format(R"({{"username":"{}","displayName":"Ada"}})", username)).text("/id");
  ASSERT_EQ(clerk.put("/api/data/user/" + id + "/password", R"({"password":"known to the clerk"})").status, 204);
  CheckedClient ada = signed_in({id, username}, "known to the clerk");
  ASSERT_EQ(change(ada, "known to the clerk", "or is it the clerk?").status, 200);
  ASSERT_EQ(admin.put("/api/admin/grants/" + id, R"({"keys":["data.read"]})").status, 200);
  EXPECT_EQ(ada.get("/auth/me").status, 401);
}

TEST_P(Passwords, are_reset_with_a_link_once) {
  const Person ada = person();
  CheckedClient signed_in_before = signed_in(ada);
  const std::string path = reset_path(admin, ada.id);
  EXPECT_EQ(use(path, "short").wrong_fields(), std::vector<std::string>{"newPassword"});
  EXPECT_EQ(use(path).status, 204);
  EXPECT_EQ(signed_in_before.get("/auth/me").status, 401);
  EXPECT_EQ(use(path, "another one").status, 404);
  CheckedClient client = server.client();
  EXPECT_EQ(log_in(client, ada, "the first one").status, 400);
  EXPECT_EQ(log_in(client, ada, "the new one").status, 200);
}

TEST_P(Passwords, are_reset_by_one_of_several_at_once) {
  constexpr int people = 6;
  const std::string path = reset_path(admin, person().id);
  std::array<int, people> statuses{};
  std::vector<std::thread> threads;
  for (int i = 0; i < people; ++i) {
    threads.emplace_back([&, i] { statuses[static_cast<std::size_t>(i)] = use(path).status; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::count(statuses.begin(), statuses.end(), 204), 1);
  EXPECT_EQ(std::count(statuses.begin(), statuses.end(), 404), people - 1);
}

TEST_P(Passwords, are_not_reset_with_a_link_that_has_ended) {
  const Person ada = person();
  const std::string replaced = reset_path(admin, ada.id), withdrawn = reset_path(admin, ada.id);
  EXPECT_EQ(use(replaced).status, 404) << "a newer link has replaced it";
  EXPECT_EQ(admin.del(resets(ada.id)).status, 204);
  EXPECT_EQ(use(withdrawn).status, 404);
  const std::string outdated = reset_path(admin, ada.id);
  CheckedClient client = signed_in(ada);
  ASSERT_EQ(change(client, "the first one", "the second one").status, 200);
  EXPECT_EQ(use(outdated).status, 404) << "the user has a new password";
  const std::string expired = reset_path(admin, ada.id);
  const Sql expire("UPDATE password_resets SET expires_at = 1");
  server.write([&](Tx& tx) { tx.run({&expire, {}}); });
  const HttpReply refused = use(expired);
  EXPECT_EQ(refused.status, 404);
  EXPECT_EQ(refused.body, use("/auth/password-reset/none").body);
  EXPECT_EQ(refused.body, use(expired + "x").body);
}

TEST_P(Passwords, are_not_reset_with_the_link_of_a_person_of_lower_rank) {
  CheckedClient clerk = server.member("default", "admin.access");
  const Person boss = person(R"("TenantAdmin")"), ada = person(), eve = person();
  EXPECT_EQ(clerk.post(resets(boss.id), "").status, 403);
  const std::string path = reset_path(clerk, ada.id);
  ASSERT_EQ(platform.put("/api/admin/grants/" + ada.id, R"({"keys":["TenantAdmin"]})").status, 200);
  EXPECT_EQ(use(path).status, 404) << "the user has been promoted";
  const std::string of_clerk = reset_path(clerk, eve.id);
  const std::string clerk_id = clerk.get("/auth/me").text("/session/user/userId");
  ASSERT_EQ(platform.put("/api/admin/grants/" + clerk_id, R"({"keys":[]})").status, 200);
  EXPECT_EQ(use(of_clerk).status, 404) << "the clerk is none any more";
}

TEST_P(Passwords, of_a_link_count_as_set_by_its_maker) {
  CheckedClient clerk = server.member("default", "admin.access");
  const Person ada = person();
  ASSERT_EQ(use(reset_path(clerk, ada.id)).status, 204);
  CheckedClient client = signed_in(ada, "the new one");
  ASSERT_EQ(admin.put("/api/admin/grants/" + ada.id, R"({"keys":["data.read"]})").status, 200);
  EXPECT_EQ(client.get("/auth/me").status, 401) << "the clerk may have used the link";
}

TEST_P(Passwords, are_never_in_the_audit_trail) {
  const Person ada = person();
  const std::string path = reset_path(admin, ada.id);
  ASSERT_EQ(use(path, "searched for").status, 204);
  const std::string trail = admin.get("/api/admin/audit").body;
  EXPECT_NE(trail.find("password_reset"), std::string::npos);
  EXPECT_EQ(trail.find("searched for"), std::string::npos);
  EXPECT_EQ(trail.find(path.substr(path.rfind('.') + 1)), std::string::npos);
}

TEST_P(Passwords, are_reset_in_the_own_tenant_only) {
  const Person ada = person();
  server.add_tenant("other");
  CheckedClient others = server.member("other", "TenantAdmin");
  EXPECT_EQ(others.post(resets(ada.id), "").status, 404);
  EXPECT_EQ(others.del(resets(ada.id)).status, 404);
}

}  // namespace
}  // namespace guildhall
