// Copies of values in Redis, which another handle changes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hiredis/hiredis.h>

#include "cache/redis/private_redis.h"
#include "cache/redis/test_support.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;
using test::eventually, test::RedisClient, test::Text;

// Asks the server itself.
std::string ask(const test::PrivateRedis& server, const char* command) {
  const std::unique_ptr<redisContext, decltype(&redisFree)> raw(redisConnect("127.0.0.1", server.port), redisFree);
  const std::unique_ptr<redisReply, decltype(&freeReplyObject)> reply(
      static_cast<redisReply*>(redisCommand(raw.get(), command)), freeReplyObject);
  return reply && reply->str ? std::string(reply->str, reply->len) : "";
}

class RedisTracking : public ::testing::Test {
 protected:
  int reads() {
    const std::string stats = ask(server, "INFO commandstats"), label = "cmdstat_get:calls=";
    const std::size_t at = stats.find(label);
    return at == std::string::npos ? 0 : std::stoi(stats.substr(at + label.size()));
  }

  // True if at least one of two reads was answered by a copy.
  bool has_copies() {
    const int before = reads();
    for (int i = 0; i < 2; ++i) reader.get_or_copy("key");
    return reads() < before + 2;
  }

  test::PrivateRedis server;
  RedisClient reader{RedisClient::url(server.port)}, writer{RedisClient::url(server.port)};
  void SetUp() override {
    ASSERT_TRUE(eventually([&] { return writer.put("key", "first"); }));
    ASSERT_TRUE(eventually([&] { return reader.works(); }));
    ASSERT_TRUE(eventually([&] { return has_copies(); }));
  }
};

TEST_F(RedisTracking, saves_reads) {
  const int before = reads();
  for (int i = 0; i < 1'000; ++i) ASSERT_EQ(reader.get_or_copy("key"), "first");
  EXPECT_LT(reads() - before, 500);
}

TEST_F(RedisTracking, shows_every_change_as_soon_as_it_is_reported) {
  for (int i = 0; i < 300; ++i) {
    const std::string value = std::to_string(i);
    ASSERT_TRUE(writer.put_and_report("key", value));
    for (int again = 0; again < 3; ++again) ASSERT_EQ(reader.get_or_copy("key"), value);
  }
}

TEST_F(RedisTracking, shows_a_removal) {
  writer.loop.run([&]() -> Task<> {
    co_await writer.cache->remove("key");
    co_await writer.cache->wait_until_reported();
  });
  EXPECT_EQ(reader.get_or_copy("key"), std::nullopt);
  ASSERT_TRUE(writer.put("key", "second"));
  EXPECT_EQ(reader.get_or_copy("key"), "second") << "that a value is missing is not remembered";
  ask(server, "FLUSHALL");
  EXPECT_TRUE(eventually([&] { return reader.get_or_copy("key") == std::nullopt; }));
}

TEST_F(RedisTracking, goes_on_after_each_of_its_connections_was_lost) {
  for (const char* lost : {"CLIENT KILL TYPE pubsub", "CLIENT KILL TYPE normal"}) {
    ASSERT_EQ(reader.get_or_copy("key"), "first");
    ask(server, lost);
    ASSERT_TRUE(eventually([&] { return writer.put_and_report("key", "second"); }));
    ASSERT_TRUE(eventually([&] { return reader.works(); }));
    EXPECT_EQ(reader.get_or_copy("key"), "second");
    EXPECT_TRUE(eventually([&] { return has_copies(); })) << lost;
    ASSERT_TRUE(writer.put_and_report("key", "first"));
    EXPECT_EQ(reader.get_or_copy("key"), "first");
  }
}

TEST_F(RedisTracking, uses_no_copy_when_the_server_is_gone) {
  reader.get_or_copy("key");
  server.kill();
  EXPECT_EQ(reader.loop.run([&] { return test::if_available(reader.cache->get_or_copy("key")); }), std::nullopt);
}

// A server that knows no tracking, as Redis 5.
TEST(RedisWithoutTracking, is_read_every_time) {
  test::PrivateRedis server({"--rename-command", "CLIENT", ""});
  RedisClient reader(RedisClient::url(server.port)), writer(RedisClient::url(server.port));
  ASSERT_TRUE(eventually([&] { return writer.put("key", "0") && reader.works(); }));
  for (int i = 1; i < 50; ++i) {
    ASSERT_TRUE(writer.put("key", std::to_string(i)));
    ASSERT_EQ(reader.get_or_copy("key"), std::to_string(i));
  }
}

// A user who may read and write, but not subscribe: Redis closes the connection that tries.
TEST(RedisWithoutChannels, is_read_every_time_and_not_asked_again_at_once) {
  test::PrivateRedis server;
  ASSERT_TRUE(eventually([&] { return ask(server, "ACL SETUSER limited on >secret ~* +@all resetchannels") == "OK"; }));
  RedisClient client(fmt::format("redis://limited:secret@127.0.0.1:{}", server.port));
  ASSERT_TRUE(eventually([&] { return client.works(); }));
  const auto until = std::chrono::steady_clock::now() + 500ms;
  for (int i = 0; std::chrono::steady_clock::now() < until; ++i) {
    ASSERT_TRUE(client.put("key", std::to_string(i)));
    ASSERT_EQ(client.get_or_copy("key"), std::to_string(i));
  }
  const std::string stats = ask(server, "INFO stats"), label = "total_connections_received:";
  EXPECT_LT(std::stoi(stats.substr(stats.find(label) + label.size())), 10);
}

}  // namespace
}  // namespace guildhall
