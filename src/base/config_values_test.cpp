#include "base/config_values.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(Sample, is_all_off_a_number_or_a_fraction) {
  EXPECT_EQ(parse_sample("all"), 1);
  EXPECT_EQ(parse_sample("off"), std::nullopt);
  EXPECT_EQ(parse_sample("0"), 0);
  EXPECT_EQ(parse_sample("0.25"), 0.25);
  EXPECT_EQ(parse_sample("1/100"), 0.01);
  for (const char* wrong :
       {"", "none", "2", "-0.1", "2/1", "1/0", "0/0", "1/", "/2", "a/b", "-1/-1", "1/100x", "nan"}) {
    EXPECT_THROW(parse_sample(wrong), std::invalid_argument) << wrong;
  }
}

}  // namespace
}  // namespace guildhall
