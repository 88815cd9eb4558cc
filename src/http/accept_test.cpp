#include "http/accept.h"

#include <gtest/gtest.h>

namespace guildhall::http {
namespace {

TEST(Accept, browsers_prefer_html_and_programs_do_not) {
  for (const std::string_view browser :
       {"text/html", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
        "application/json;q=0.5, text/html;q=0.6", "text/*, application/json;q=0.9",
        "text/html;level=1;q=0.9,*/*;q=0.1"}) {
    EXPECT_TRUE(prefers_html(browser)) << browser;
  }
  for (const std::string_view program :
       {"", "*/*", "application/json", "application/json, text/html", "text/html;q=0",
        "application/json, text/plain, */*", "text/html;q=0.5, application/*", "text"}) {
    EXPECT_FALSE(prefers_html(program)) << program;
  }
}

TEST(Accept, weights_are_those_of_the_named_coding) {
  EXPECT_EQ(weight_in("gzip, br;q=0.5", "gzip"), 1);
  EXPECT_EQ(weight_in("gzip, br ; q=0.5", "br"), 0.5);
  EXPECT_EQ(weight_in("gzip;q=0", "gzip"), 0);
  EXPECT_EQ(weight_in("gzip", "br"), -1);
}

}  // namespace
}  // namespace guildhall::http
