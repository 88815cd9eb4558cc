#include "api/guards.h"

#include <gtest/gtest.h>

namespace guildhall::api {
namespace {

TEST(OwnOrigin, has_the_host_and_port_of_the_request_or_of_the_installation) {
  struct Case {
    std::string_view origin, host;
    bool own;
  };
  const std::string_view base = "https://shop.example.com";
  for (const auto& [origin, host, own] : std::initializer_list<Case>{
           {"https://shop.example.com", "127.0.0.1:8080", true},
           {"https://SHOP.example.com", "127.0.0.1:8080", true},
           {"https://shop.example.com:443", "127.0.0.1:8080", true},
           {"http://127.0.0.1:8080", "127.0.0.1:8080", true},
           {"http://localhost", "localhost", true},
           {"http://localhost:80", "localhost", true},
           {"https://localhost", "localhost:443", true},
           {"http://[::1]:8080", "[::1]:8080", true},
           {"http://[::1]", "[::1]", true},
           {"https://shop.example.com:8443", "shop.example.com", false},
           {"http://shop.example.com", "127.0.0.1:8080", false},
           {"https://evil.shop.example.com", "shop.example.com", false},
           {"https://shop.example.com.evil.com", "shop.example.com", false},
           {"http://127.0.0.1:8081", "127.0.0.1:8080", false},
           {"http://[::1]:8081", "[::1]:8080", false},
           {"null", "shop.example.com", false},
           {"", "shop.example.com", false},
           {"shop.example.com", "shop.example.com", false},
           {"ftp://shop.example.com", "shop.example.com", false},
       }) {
    EXPECT_EQ(is_own_origin(origin, host, base), own) << origin << " at " << host;
  }
}

}  // namespace
}  // namespace guildhall::api
