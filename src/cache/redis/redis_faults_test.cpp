#include <cstdlib>
#include <gtest/gtest.h>
#include <hiredis/hiredis.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache/redis/private_redis.h"
#include "cache/redis/test_support.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;
using test::eventually;
using test::free_port;
using test::PrivateRedis;
using test::Text;
using Client = test::RedisClient;

TEST(RedisFaults, a_missing_server_is_unavailable_and_the_check_says_why) {
  Client client(Client::url(free_port()));
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(client.works());
  try {
    client.engine->check();
    FAIL() << "the check passed without a server";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("127.0.0.1"), std::string::npos) << error.what();
  }
}

TEST(RedisFaults, a_server_that_starts_later_is_found) {
  PrivateRedis server;
  server.kill();
  Client client(Client::url(server.port));
  EXPECT_FALSE(client.works());
  server.start();
  EXPECT_TRUE(eventually([&] { return client.works(); }));
}

TEST(RedisFaults, a_paused_server_is_unavailable_and_late_replies_are_ignored) {
  PrivateRedis server;
  Client client(Client::url(server.port));
  ASSERT_TRUE(eventually([&] { return client.works(); }));
  ASSERT_TRUE(eventually([&] { return client.put("a", "of a"); }));
  ASSERT_TRUE(eventually([&] { return client.put("b", "of b"); }));

  server.pause();
  EXPECT_FALSE(client.get("a"));
  EXPECT_FALSE(client.get("a"));
  server.go_on();
  std::optional<Text> b;
  EXPECT_TRUE(eventually([&] { return (b = client.get("b")).has_value(); }));
  EXPECT_EQ(b.value(), "of b") << "a late reply was taken for another command's";
}

TEST(RedisFaults, a_server_paused_for_long_is_dropped_and_found_again) {
  PrivateRedis server;
  Client client(Client::url(server.port));
  ASSERT_TRUE(eventually([&] { return client.works(); }));
  server.pause();
  const auto until =
      std::chrono::steady_clock::now() + 2500ms;  // until the connection is dropped and a new one is being made
  EXPECT_TRUE(eventually([&] {
    EXPECT_FALSE(client.works());
    return std::chrono::steady_clock::now() > until;
  }));
  server.go_on();
  EXPECT_TRUE(eventually([&] { return client.works(); }));
}

TEST(RedisFaults, a_probe_distinguishes_full_from_down) {
  PrivateRedis server({"--maxmemory-policy", "noeviction"});
  Client client(Client::url(server.port));
  ASSERT_TRUE(eventually([&] { return client.state() == CacheState::ok; }));
  const std::unique_ptr<redisContext, decltype(&redisFree)> raw(redisConnect("127.0.0.1", server.port), redisFree);
  freeReplyObject(redisCommand(raw.get(), "CONFIG SET maxmemory 1"));
  EXPECT_TRUE(eventually([&] { return client.state() == CacheState::read_only; }));
  freeReplyObject(redisCommand(raw.get(), "CONFIG SET maxmemory 0"));
  EXPECT_TRUE(eventually([&] { return client.state() == CacheState::ok; }));
  server.pause();
  EXPECT_TRUE(eventually([&] { return client.state() == CacheState::down; }));
  server.go_on();
  EXPECT_TRUE(eventually([&] { return client.state() == CacheState::ok; }));
  server.kill();
  EXPECT_TRUE(eventually([&] { return client.state() == CacheState::down; }));
}

TEST(RedisFaults, a_restarted_server_is_found_again) {
  PrivateRedis server;
  Client client("redis://localhost:" +
                std::to_string(server.port));  // a host name, which is resolved again after each loss
  ASSERT_TRUE(eventually([&] { return client.works(); }));
  for (int i = 0; i < 2; ++i) {
    server.kill();
    EXPECT_TRUE(eventually([&] { return !client.works(); }));
    server.start();
    EXPECT_TRUE(eventually([&] { return client.works(); }));
  }
}

TEST(RedisFaults, commands_that_wait_when_the_server_dies_fail) {
  PrivateRedis server;
  Client client(Client::url(server.port));
  ASSERT_TRUE(eventually([&] { return client.works(); }));
  server.pause();
  auto waiting = client.get_at_once(20);
  server.kill();
  for (auto& one : waiting) EXPECT_FALSE(one.get());
}

TEST(RedisFaults, commands_that_wait_when_the_handle_closes_fail) {
  PrivateRedis server;
  Client client(Client::url(server.port));
  ASSERT_TRUE(eventually([&] { return client.works(); }));
  server.pause();
  auto waiting = client.get_at_once(20);
  client.close();
  for (auto& one : waiting) EXPECT_FALSE(one.get());
}

TEST(RedisFaults, a_handle_may_be_closed_by_the_coroutine_that_it_just_answered) {
  PrivateRedis server;
  Client client(Client::url(server.port));
  ASSERT_TRUE(eventually([&] { return client.works(); }));
  EXPECT_TRUE(eventually([&] {
    return client.loop.run([&] {
      return test::is_available([](Client& c) -> Task<> {
        co_await c.cache->get("a");
        c.cache.reset();
      }(client));
    });
  }));
}

// The loop ends first and never runs the waiting coroutines again; their frames must be destroyed with it, which the
// leak checker of the debug build verifies.
TEST(RedisFaults, a_loop_that_ends_destroys_its_waiting_coroutines) {
  PrivateRedis server;
  Client client(Client::url(server.port));
  ASSERT_TRUE(eventually([&] { return client.works(); }));
  server.pause();
  auto waiting = client.get_at_once(20);
  client.on_loop([] {});  // by now all have been sent
  client.loop.stop();
  client.cache.reset();
}

TEST(RedisFaults, password_and_database_of_the_url_are_used) {
  PrivateRedis server({"--requirepass", "p@ss word"});
  const std::string place = "@127.0.0.1:" + std::to_string(server.port);
  Client right("redis://:p%40ss%20word" + place + "/2");
  Client wrong("redis://:other" + place);
  ASSERT_TRUE(eventually([&] { return right.works(); }));
  right.engine->check();
  EXPECT_FALSE(wrong.works());
  EXPECT_THROW(wrong.engine->check(), std::runtime_error);

  Client elsewhere("redis://default:p%40ss%20word" + place + "/3");
  ASSERT_TRUE(eventually([&] { return elsewhere.works(); }));
  ASSERT_TRUE(eventually([&] { return right.put("a", "of 2"); }));
  std::optional<Text> a;
  EXPECT_TRUE(eventually([&] { return (a = elsewhere.get("a")).has_value(); }));
  EXPECT_EQ(a.value(), std::nullopt);
}

TEST(RedisFaults, scripts_are_sent_again_to_a_server_that_lost_them) {
  PrivateRedis server;
  Client client(Client::url(server.port));
  ASSERT_TRUE(eventually([&] { return client.works(); }));
  const std::unique_ptr<redisContext, decltype(&redisFree)> raw(redisConnect("127.0.0.1", server.port), redisFree);
  for (int i = 0; i < 3; ++i) {
    freeReplyObject(redisCommand(raw.get(), "SCRIPT FLUSH"));
    EXPECT_TRUE(eventually(
        [&] { return client.loop.run([&] { return test::if_available(client.cache->count("a", 1h)); }).has_value(); }));
  }
}

TEST(RedisFaults, a_counter_that_lost_its_end_gets_a_new_one) {
  PrivateRedis server;
  Client client(Client::url(server.port));
  ASSERT_TRUE(eventually([&] { return client.works(); }));
  const std::unique_ptr<redisContext, decltype(&redisFree)> raw(redisConnect("127.0.0.1", server.port), redisFree);
  freeReplyObject(redisCommand(raw.get(), "SET guildhall:a 7"));

  std::optional<Cache::Window> window;
  EXPECT_TRUE(eventually([&] {
    window = client.loop.run([&] { return test::if_available(client.cache->count("a", 1h)); });
    return window.has_value();
  }));
  EXPECT_GE(window->count, 8);
  EXPECT_GT(window->resets_in, 0ms);
  EXPECT_LE(window->resets_in, 1h);
}

}  // namespace
}  // namespace guildhall
