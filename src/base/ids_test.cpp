#include "base/ids.h"

#include <gtest/gtest.h>
#include <thread>

namespace guildhall {
namespace {

TEST(Ids, are_version_7_uuids) {
  const std::string id = make_uuid(now());
  ASSERT_EQ(id.size(), 36u);
  EXPECT_EQ(id[8], '-');
  EXPECT_EQ(id[14], '7');
  EXPECT_NE(std::string("89ab").find(id[19]), std::string::npos);
}

TEST(Ids, rise_even_within_a_millisecond_and_when_the_clock_steps_back) {
  std::string last = make_uuid({1'000'000});
  for (int i = 0; i < 20'000; ++i) {
    const std::string next = make_uuid({i % 2 == 0 ? 1'000'000 : 999'000});
    ASSERT_LT(last, next);
    last = next;
  }
}

TEST(Ids, rise_whichever_thread_makes_them) {
  std::string last = make_uuid({2'000'000});
  for (int i = 0; i < 100; ++i) {
    std::string next;
    std::thread([&] { next = make_uuid({2'000'000}); }).join();
    ASSERT_LT(last, next);
    last = next;
  }
}

TEST(Ids, of_tenants_are_short_and_plain) {
  for (const std::string_view good : {"a", "default", "Guild_1-x"}) EXPECT_TRUE(is_tenant_id(good)) << good;
  EXPECT_TRUE(is_tenant_id(std::string(64, 'a')));
  EXPECT_FALSE(is_tenant_id(std::string(65, 'a')));
  for (const std::string_view bad : {"", "a b", "a/b", "a.b", "é"}) EXPECT_FALSE(is_tenant_id(bad)) << bad;
}

}  // namespace
}  // namespace guildhall
