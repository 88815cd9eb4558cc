#include "http/cookies.h"

#include <gtest/gtest.h>

namespace guildhall::http {
namespace {

TEST(Cookies, are_found_by_their_whole_name) {
  EXPECT_EQ(cookie_value("a=1; b=2; c=3", "b"), "2");
  EXPECT_EQ(cookie_value("ab=1; b=2", "b"), "2");
  EXPECT_EQ(cookie_value("b=1=2", "b"), "1=2");
  EXPECT_EQ(cookie_value("b=1; b=2", "b"), "1");
  EXPECT_EQ(cookie_value("B=1", "b"), "");
  for (const char* without : {"", ";", "b", "b;", "=b", ";;;=;", "xb=1"})
    EXPECT_EQ(cookie_value(without, "b"), "") << without;
}

TEST(Cookies, are_set_for_the_whole_site_and_out_of_reach_of_scripts) {
  EXPECT_EQ(set_cookie("a", "b", std::chrono::seconds(60), false), "a=b; HttpOnly; SameSite=Lax; Path=/; Max-Age=60");
  EXPECT_EQ(set_cookie("a", "", std::chrono::seconds(0), true),
            "a=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0; Secure");
}

}  // namespace
}  // namespace guildhall::http
