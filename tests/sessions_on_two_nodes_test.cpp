// A session that ends, or loses a key, on one node while another node serves it.
#include <atomic>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "support/eventually.h"
#include "support/signed_in.h"

namespace guildhall {
namespace {

using test::at, test::HttpClient, test::HttpReply, test::ServerProcess, test::signed_in;

constexpr int switch_rounds = 20;

class SessionsOnTwoNodes : public ::testing::Test {
 protected:
  SessionsOnTwoNodes() {
    first.wait_until_ready();
    second.wait_until_ready();
  }

  ServerProcess::Variables settings(const std::string& folder) const {
    auto variables = test::server_variables(test::Engine::postgresql, database.url, folder);
    variables["RATE_LIMIT_DISABLED"] = "true";
    return variables;
  }

  test::FreshDatabase database{test::Engine::postgresql};
  test::TemporaryFolder one, two;
  ServerProcess first{settings(one.path.string())}, second{settings(two.path.string())};
};

TEST_F(SessionsOnTwoNodes, end_on_both_at_once) {
  for (int round = 0; round < switch_rounds; ++round) {
    HttpClient here = signed_in(first), there = at(second, here);
    for (int i = 0; i < 5; ++i) ASSERT_EQ(there.get("/auth/me").status, 200);
    ASSERT_EQ(here.send("POST", "/auth/logout", "", {}).status, 200);
    ASSERT_EQ(there.get("/auth/me").status, 401) << "in round " << round;
  }
}

// The second node serves many requests of the session while it ends.
TEST_F(SessionsOnTwoNodes, end_at_once_on_a_busy_node) {
  for (int round = 0; round < switch_rounds / 2; ++round) {
    HttpClient here = signed_in(first);
    std::atomic<bool> has_ended = false, stop = false;
    std::atomic<int> served = 0, served_after = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        HttpClient there = at(second, here);
        while (!stop) {
          const bool ended = has_ended;
          if (there.get("/auth/me").status != 200) return;
          ++(ended ? served_after : served);
        }
      });
    }
    EXPECT_TRUE(test::eventually([&] { return served > 100; }));
    EXPECT_EQ(HttpClient(here).send("POST", "/auth/logout", "", {}).status, 200);
    has_ended = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(served_after, 0) << "in round " << round;
  }
}

TEST_F(SessionsOnTwoNodes, lose_a_key_on_both_at_once) {
  HttpClient admin = signed_in(first);
  const std::string made = admin.post("/api/data/user", R"({"username":"clerk","displayName":"Clerk"})").text("/id");
  ASSERT_EQ(admin.put("/api/data/user/" + made + "/password", R"({"password":"a long password"})").status, 204);
  HttpClient clerk(second.port());
  const std::string sign_in = R"({"username":"clerk","password":"a long password","tenantId":"default"})";
  ASSERT_EQ(clerk.post("/auth/local/login", sign_in).status, 200);
  for (int round = 0; round < switch_rounds; ++round) {
    const bool may_read = round % 2 == 0;
    const HttpReply granted =
        admin.put("/api/admin/grants/" + made, may_read ? R"({"keys":["data.read"]})" : R"({"keys":[]})");
    ASSERT_EQ(granted.status, 200) << granted.body;
    for (int i = 0; i < 3; ++i) ASSERT_EQ(clerk.get("/api/data/order").status, may_read ? 200 : 403) << round;
  }
}

}  // namespace
}  // namespace guildhall
