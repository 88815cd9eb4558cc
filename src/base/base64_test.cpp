#include "base/base64.h"

#include <gtest/gtest.h>

#include "base/encoding.h"

namespace guildhall {
namespace {

TEST(Base64, is_read_strictly) {
  for (const char* text : {"", "a", "ab", "abc", "\xfb\xff"})
    EXPECT_EQ(from_base64(base64(std::string_view(text))), text);
  for (const char* wrong : {"YQ", "YQ=", "YQ===", "=YQ=", "-_8=", "YR==", "Y Q="}) {
    EXPECT_FALSE(from_base64(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace guildhall
