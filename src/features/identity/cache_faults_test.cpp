// Sign-in and sessions while Redis is full, down or slow.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hiredis/hiredis.h>

#include "cache/redis/private_redis.h"
#include "cache/test_support.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::eventually, test::HttpReply, test::TestServer;

class CacheFaults : public ::testing::Test {
 protected:
  static std::string url(const test::PrivateRedis& redis) { return fmt::format("redis://127.0.0.1:{}", redis.port); }

  // Full: Redis refuses every write that takes memory.
  void set_full(bool full) {
    const std::unique_ptr<redisContext, decltype(&redisFree)> raw(redisConnect("127.0.0.1", redis_.port), redisFree);
    freeReplyObject(redisCommand(raw.get(), "CONFIG SET maxmemory %d", full ? 1 : 0));
  }

  static HttpReply log_in(CheckedClient& client) {
    return client.post(
        "/auth/local/login",
        fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password));
  }

  CheckedClient signed_in() {
    CheckedClient client = server_.client();
    EXPECT_TRUE(eventually([&] { return log_in(client).status == 200; }));
    return client;
  }

  test::PrivateRedis redis_{{"--maxmemory-policy", "noeviction"}};
  TestServer server_{test::Engine::postgresql,
                     {{"CACHE_URL", url(redis_)},
                      {"CACHE_TIMEOUT_MS", "1000"},
                      {"RATE_LIMIT_DISABLED", "false"},
                      {"RATE_LIMIT_SIGN_IN_PER_MIN", "50"},
                      {"LOG_LEVEL", "error"}}};
};

TEST_F(CacheFaults, a_full_cache_gives_no_session_but_fails_no_request_of_one) {
  CheckedClient admin = signed_in(), ended = signed_in(), left = signed_in();
  const std::string user = server_.member("default", "data.read").get("/auth/me").text("/session/user/userId");
  set_full(true);
  EXPECT_EQ(admin.get("/auth/me").status, 200) << "the first request of a session asks the database and refreshes it";
  EXPECT_EQ(admin.get("/api/data/customer").status, 200);
  EXPECT_EQ(admin.put("/api/admin/grants/" + user, R"({"keys":["data.write"]})").status, 200)
      << "the change has been committed";
  EXPECT_EQ(admin.get("/auth/sessions").size("/items"), 3u);
  CheckedClient nobody = server_.client();
  EXPECT_EQ(log_in(nobody).status, 503);
  const HttpReply ready = nobody.get("/readyz");
  EXPECT_EQ(ready.status, 200);
  EXPECT_EQ(ready.text("/cache"), "read-only");
  EXPECT_GT(ready.size("/warnings"), 0u);

  CheckedClient thief = left;
  EXPECT_EQ(left.send("POST", "/auth/logout", "", {}).status, 200);
  EXPECT_EQ(thief.get("/auth/me").status, 401);
  const HttpReply sessions = ended.get("/auth/sessions");
  for (std::size_t i = 0; i < sessions.size("/items"); ++i) {
    if (!sessions.boolean(fmt::format("/items/{}/current", i))) continue;
    EXPECT_EQ(admin.del("/auth/sessions/" + sessions.text(fmt::format("/items/{}/id", i))).status, 204);
  }
  EXPECT_EQ(ended.get("/auth/me").status, 401);

  set_full(false);
  EXPECT_TRUE(eventually([&] { return log_in(nobody).status == 200; }));
}

TEST_F(CacheFaults, without_the_cache_sign_ins_and_public_links_are_counted_by_each_process) {
  signed_in();
  redis_.kill();
  CheckedClient client = server_.client();
  EXPECT_TRUE(eventually([&] { return client.get("/readyz").text("/cache") == "down"; }));
  EXPECT_EQ(client.get("/readyz").status, 200);
  int allowed = 0;
  while (allowed <= 50 && log_in(client).status == 503) ++allowed;
  EXPECT_EQ(allowed, 50);
  EXPECT_EQ(log_in(client).status, 429);

  allowed = 0;
  test::HttpClient buyer(server_.port());  // gets pages, which are not JSON
  while (allowed <= 300 && buyer.get("/orders/invoice/nonsense").status == 404) ++allowed;
  EXPECT_EQ(allowed, 300);
  EXPECT_EQ(buyer.get("/orders/invoice/nonsense").status, 429);
  EXPECT_EQ(client.post("/api/shipping/webhook", "{}").header("ratelimit-limit"), "") << "other limits let all pass";
}

TEST_F(CacheFaults, a_slow_cache_makes_sessions_wait_no_longer_than_its_timeout_and_recovers) {
  CheckedClient admin = signed_in();
  redis_.pause();
  EXPECT_EQ(admin.get("/auth/me").status, 503);
  EXPECT_EQ(admin.get("/healthz").status, 200);
  redis_.go_on();
  EXPECT_TRUE(eventually([&] { return admin.get("/auth/me").status == 200; }));
}

}  // namespace
}  // namespace guildhall
