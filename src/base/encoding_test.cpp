#include "base/encoding.h"

#include <array>
#include <gtest/gtest.h>

namespace guildhall {
namespace {

// RFC 4648, section 10, without the padding; and the two letters in which base64url differs.
const std::vector<std::pair<std::string, std::string>> known{
    {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
    {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xfb\xff\xfe", "-__-"},
};

TEST(Base64Url, writes_and_reads_the_known_answers) {
  for (const auto& [bytes, text] : known) {
    EXPECT_EQ(base64url(bytes), text);
    EXPECT_EQ(from_base64url(text), bytes);
  }
}

TEST(Base64Url, brings_back_every_byte_at_every_place) {
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t length = 1; length <= 4; ++length) {
      const std::string bytes(length, static_cast<char>(byte));
      EXPECT_EQ(from_base64url(base64url(bytes)), bytes);
    }
  }
}

TEST(Base64Url, refuses_every_other_spelling) {
  for (const char* text :
       {"Zg==", "Zg=", "Z", "Zm9vZ", "Zh", "Zm9", "Zm+v", "Zm/v", "Zm9v ", " Zm9v", "Zm\n9v", "Zm9\xff"}) {
    EXPECT_EQ(from_base64url(text), std::nullopt) << text;
  }
  EXPECT_EQ(from_base64url(std::string_view("Zm9\0", 4)), std::nullopt);
  for (int byte = 0x80; byte <= 0xff; ++byte) {
    EXPECT_EQ(from_base64url("Zm9" + std::string(1, static_cast<char>(byte))), std::nullopt) << byte;
  }
}

TEST(Base64, is_read_strictly) {
  for (const char* text : {"", "a", "ab", "abc", "\xfb\xff"})
    EXPECT_EQ(from_base64(base64(std::string_view(text))), text);
  for (const char* wrong : {"YQ", "YQ=", "YQ===", "=YQ=", "-_8=", "YR==", "Y Q="}) {
    EXPECT_FALSE(from_base64(wrong)) << wrong;
  }
}

TEST(Hex, writes_lower_case_and_reads_either) {
  const std::array<unsigned char, 4> bytes{0x00, 0x9a, 0xbc, 0xff};
  EXPECT_EQ(hex(bytes), "009abcff");
  EXPECT_EQ(hex("\x01z"), "017a");
  EXPECT_EQ(from_hex("009AbCfF"), std::string("\x00\x9a\xbc\xff", 4));
  EXPECT_EQ(from_hex(""), "");
}

TEST(Hex, refuses_odd_lengths_and_other_letters) {
  for (const char* text : {"0", "012", "0g", "g0", "0x12", " 12", "12 ", "-1"}) {
    EXPECT_EQ(from_hex(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace guildhall
