#include "base/url.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(Url, is_an_http_address_with_a_host) {
  for (const char* text : {"http://a", "HTTPS://a.b:8080/c?d#e", "https://[::1]:1/", "https://a?b", "https://a/{id}"}) {
    EXPECT_TRUE(is_http_url(text)) << text;
  }
  for (const char* text : {"", "a", "ftp://a", "http:/a", "http://", "http:///a", "http://:80", "http://user@a",
                           "http://a b", "http://a#b", "http://a/\"", "http://a/\\", "http://\xc3\xa4"}) {
    EXPECT_FALSE(is_http_url(text)) << text;
  }
  EXPECT_TRUE(is_http_url("http://" + std::string(2041, 'a')));
  EXPECT_FALSE(is_http_url("http://" + std::string(2042, 'a')));
}

TEST(Url, encodes_all_but_unreserved_characters) {
  EXPECT_EQ(url_encode("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(url_encode("a b/\xc3\xa4+%"), "a%20b%2F%C3%A4%2B%25");
}

TEST(Url, decodes_escapes_of_either_case) {
  EXPECT_EQ(url_decode("a%2fb%2Fc+"), "a/b/c+");
  EXPECT_EQ(url_decode("a+b%20c", true), "a b c");
  EXPECT_EQ(url_decode("%00"), std::string(1, '\0'));
  for (const char* text : {"%", "%2", "%2g", "a%", "a%1", "%%20"}) EXPECT_EQ(url_decode(text), std::nullopt) << text;
}

TEST(Url, keeps_escapes_in_a_header) {
  EXPECT_EQ(header_url("/a%20b?\xc3\xa4\r\n"), "/a%20b?%C3%A4%0D%0A");
}

}  // namespace
}  // namespace guildhall
