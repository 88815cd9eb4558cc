#include "cache/redis/redis_url.h"

#include <gtest/gtest.h>
#include <stdexcept>

namespace guildhall {
namespace {

TEST(RedisUrl, is_parsed_in_all_its_forms) {
  struct Row {
    const char* text;
    RedisUrl expected;
  };
  const std::vector<Row> rows{
      {"redis://cache", {"cache", 6379, "", "", 0}},
      {"redis://cache/", {"cache", 6379, "", "", 0}},
      {"redis://10.0.0.1:7000/3", {"10.0.0.1", 7000, "", "", 3}},
      {"redis://:secret@cache", {"cache", 6379, "", "secret", 0}},
      {"redis://ann:secret@cache:1", {"cache", 1, "ann", "secret", 0}},
      {"redis://a%40b:p%3A%2F%25%20@cache/1", {"cache", 6379, "a@b", "p:/% ", 1}},
      {"redis://:pa@ss:w/d@cache", {"cache", 6379, "", "pa@ss:w/d", 0}},
      {"redis://[::1]", {"::1", 6379, "", "", 0}},
      {"redis://:x@[fd00::1]:7000/2", {"fd00::1", 7000, "", "x", 2}},
  };
  for (const auto& [text, expected] : rows) {
    const RedisUrl url = parse_redis_url(text);
    EXPECT_EQ(url.host, expected.host) << text;
    EXPECT_EQ(url.port, expected.port) << text;
    EXPECT_EQ(url.user, expected.user) << text;
    EXPECT_EQ(url.password, expected.password) << text;
    EXPECT_EQ(url.database, expected.database) << text;
  }
}

TEST(RedisUrl, is_refused_when_anything_is_wrong_with_it) {
  for (const char* text :
       {"redis://", "redis://:1", "redis:cache", "http://cache", "redis://cache:0", "redis://cache:65536",
        "redis://cache:", "redis://cache:6379x", "redis://cache/x", "redis://cache/-1", "redis://cache/1/2",
        "redis://user@cache", "redis://user:@cache", "redis://:%zz@cache", "redis://:%4@cache", "redis://[::1",
        "redis://[::1]6379", "redis://[]:1"}) {
    EXPECT_THROW(parse_redis_url(text), std::runtime_error) << text;
  }
}

TEST(RedisUrl, determines_the_first_commands_of_a_connection) {
  using Commands = std::vector<std::vector<std::string>>;
  EXPECT_EQ(parse_redis_url("redis://h").greeting(), (Commands{{"PING"}}));
  EXPECT_EQ(parse_redis_url("redis://:p@h").greeting(), (Commands{{"AUTH", "p"}, {"PING"}}));
  EXPECT_EQ(parse_redis_url("redis://u:p@h/4").greeting(), (Commands{{"AUTH", "u", "p"}, {"SELECT", "4"}, {"PING"}}));
}

TEST(RedisUrl, is_shown_without_the_password) {
  EXPECT_EQ(parse_redis_url("redis://:secret@h:1").place(), "h:1");
  EXPECT_EQ(parse_redis_url("redis://:secret@[::1]").place(), "[::1]:6379");
}

}  // namespace
}  // namespace guildhall
