#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "features/identity/sessions.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

class OwnSessions : public test::OnEachPair {
 protected:
  // Another session of the same user.
  CheckedClient again(CheckedClient&) {
    CheckedClient other = server.client();
    other.post("/auth/local/login",
               fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password));
    return other;
  }

  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, OwnSessions, test::engines, test::engine_name);

TEST_P(OwnSessions, are_listed_and_ended_one_by_one_or_all) {
  CheckedClient second = again(admin), third = again(admin);
  const HttpReply list = second.get("/auth/sessions");
  ASSERT_EQ(list.size("/items"), 3u) << list.body;
  EXPECT_TRUE(list.boolean("/items/1/current"));
  EXPECT_FALSE(list.boolean("/items/0/current"));
  EXPECT_EQ(list.text("/items/0/provider"), "local");
  EXPECT_EQ(list.body.find(second.get("/auth/me").text("/session/sessionId")), std::string::npos)
      << "the list does not give sessions away";

  EXPECT_EQ(second.del("/auth/sessions/" + list.text("/items/0/id")).status, 204);
  EXPECT_EQ(third.get("/auth/me").status, 401);
  EXPECT_EQ(second.del("/auth/sessions/" + list.text("/items/0/id")).status, 404);
  CheckedClient stranger = server.member("default");
  EXPECT_EQ(stranger.del("/auth/sessions/" + list.text("/items/1/id")).status, 404);
  EXPECT_EQ(second.get("/auth/me").status, 200);

  EXPECT_EQ(second.del("/auth/sessions?others=true").status, 204);
  EXPECT_EQ(admin.get("/auth/me").status, 401);
  EXPECT_EQ(second.get("/auth/sessions").size("/items"), 1u);
  EXPECT_EQ(second.del("/auth/sessions").status, 204);
  EXPECT_EQ(second.cookies.count("service_auth"), 0u);
  EXPECT_EQ(second.get("/auth/sessions").status, 401);
}

TEST_P(OwnSessions, are_not_listed_after_signing_out_or_in_again) {
  CheckedClient second = again(admin);
  EXPECT_EQ(second.post("/auth/logout", "").status, 200);
  EXPECT_EQ(admin.get("/auth/sessions").size("/items"), 1u);
  CheckedClient old = admin;
  EXPECT_EQ(admin
                .post("/auth/local/login", fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})",
                                                       test::admin_password))
                .status,
            200);
  EXPECT_EQ(old.get("/auth/me").status, 401) << "a sign-in rotates the session";
  EXPECT_EQ(admin.get("/auth/sessions").size("/items"), 1u);
}

TEST_P(OwnSessions, of_many_sign_ins_at_once_are_all_listed) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { EXPECT_EQ(again(admin).get("/auth/me").status, 200); });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(admin.get("/auth/sessions").size("/items"), 5u);
}

// While grants go on and off, sessions are used all the time: after each change the next request knows it.
TEST_P(OwnSessions, never_keep_a_grant_that_was_taken_away) {
  CheckedClient ada = server.member("default");
  const std::string path = "/api/admin/grants/" + ada.get("/auth/me").text("/session/user/userId");
  std::atomic<bool> done = false;
  std::vector<std::thread> busy;
  for (int i = 0; i < 3; ++i) {
    busy.emplace_back([&] {
      CheckedClient own = ada;
      while (!done) own.get("/auth/me");
    });
  }
  for (int i = 0; i < 30; ++i) {
    const bool granted = i % 2 == 0;
    EXPECT_EQ(admin.put(path, granted ? R"({"keys":["data.read"]})" : R"({"keys":[]})").status, 200);
    EXPECT_EQ(ada.get("/api/data/customer").status, granted ? 200 : 403) << i;
  }
  done = true;
  for (auto& thread : busy) thread.join();
}

TEST_P(OwnSessions, survive_a_restart) {
  EXPECT_EQ(admin.get("/auth/me").status, 200);
  server.restart();
  CheckedClient after = server.client();
  after.cookies = admin.cookies;
  EXPECT_EQ(after.get("/auth/me").status, 200);
  EXPECT_EQ(after.get("/auth/sessions").size("/items"), 1u);
}

TEST(MemberDataAccess, full_gives_every_session_of_the_tenant_the_data) {
  test::TestServer server(test::Engine::sqlite, {{"MEMBER_DATA_ACCESS", "full"}});
  CheckedClient ada = server.member("default");
  EXPECT_EQ(ada.get("/api/data/customer").status, 200);
  EXPECT_EQ(ada.get("/auth/me").size("/session/permissionKeys"), 2u);
  EXPECT_EQ(ada.get("/api/admin/audit").status, 403);
}

}  // namespace
}  // namespace guildhall
