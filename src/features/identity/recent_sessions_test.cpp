#include "features/identity/recent_sessions.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(RecentSessions, serve_only_while_the_cache_holds_the_same_text) {
  RecentSessions<int> recent;
  EXPECT_EQ(recent.key_of("cookie"), nullptr);
  recent.remember("cookie", "key", "text", 7);
  ASSERT_NE(recent.key_of("cookie"), nullptr);
  EXPECT_EQ(*recent.key_of("cookie"), "key");
  ASSERT_NE(recent.session_of("cookie", "text"), nullptr);
  EXPECT_EQ(*recent.session_of("cookie", "text"), 7);
  EXPECT_EQ(recent.session_of("cookie", "another text"), nullptr);
  EXPECT_EQ(recent.session_of("cookies", "text"), nullptr);
  recent.remember("cookie", "key", "another text", 8);
  EXPECT_EQ(recent.session_of("cookie", "text"), nullptr);
  EXPECT_EQ(*recent.session_of("cookie", "another text"), 8);
}

TEST(RecentSessions, are_all_removed_when_there_is_one_too_many) {
  RecentSessions<int> recent;
  for (std::size_t i = 0; i < recent.cookies_max; ++i) recent.remember(std::to_string(i), "key", "text", 1);
  EXPECT_NE(recent.key_of("0"), nullptr);
  recent.remember("one more", "key", "text", 1);
  EXPECT_EQ(recent.key_of("0"), nullptr);
  EXPECT_NE(recent.key_of("one more"), nullptr);
}

}  // namespace
}  // namespace guildhall
