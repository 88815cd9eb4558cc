#include "cache/redis/redis_copies.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

using namespace std::chrono_literals;

const RedisCopies::Clock::time_point start{};

TEST(RedisCopies, are_found_for_a_second_after_the_read_was_sent) {
  RedisCopies copies;
  const std::uint64_t read = copies.reading("key", start);
  EXPECT_EQ(copies.find("key", start), nullptr) << "the value has not arrived";
  copies.arrived("key", read, "value");
  ASSERT_NE(copies.find("key", start + 999ms), nullptr);
  EXPECT_EQ(*copies.find("key", start + 999ms), "value");
  EXPECT_EQ(copies.find("key", start + 1s), nullptr);
  EXPECT_EQ(copies.find("another", start), nullptr);
}

TEST(RedisCopies, of_a_key_that_changes_during_the_read_are_not_kept) {
  RedisCopies copies;
  const std::uint64_t read = copies.reading("key", start);
  copies.drop("key");
  copies.arrived("key", read, "old");
  EXPECT_EQ(copies.find("key", start), nullptr);

  const std::uint64_t second = copies.reading("key", start);
  copies.drop_all();
  const std::uint64_t third = copies.reading("key", start);
  copies.arrived("key", second, "old");
  EXPECT_EQ(copies.find("key", start), nullptr);
  copies.arrived("key", third, "new");
  ASSERT_NE(copies.find("key", start), nullptr);
  EXPECT_EQ(*copies.find("key", start), "new");
}

TEST(RedisCopies, take_a_limited_number_of_bytes) {
  RedisCopies copies;
  copies.arrived("long", copies.reading("long", start), std::string(RedisCopies::bytes_max + 1, 'x'));
  EXPECT_EQ(copies.find("long", start), nullptr);
  copies.drop_all();
  for (std::size_t i = 0; i < RedisCopies::copies_max; ++i) {
    const std::string key = std::to_string(i);
    copies.arrived(key, copies.reading(key, start), "value");
  }
  EXPECT_NE(copies.find("0", start), nullptr);
  copies.reading("one more", start);
  EXPECT_EQ(copies.find("0", start), nullptr);
}

}  // namespace
}  // namespace guildhall
