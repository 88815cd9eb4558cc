#pragma once

#include <string>
#include <string_view>

#include "base/totp.h"

// Plays a user's authenticator application.
namespace guildhall::test {

inline std::string from_base32(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    bits = bits << 5 | static_cast<std::uint32_t>(c >= 'A' ? c - 'A' : c - '2' + 26);
    if ((count += 5) < 8) continue;
    bytes += static_cast<char>(bits >> (count -= 8));
  }
  return bytes;
}

// The code of the present time step, or of one that many steps later. `secret` is base32.
inline std::string code_at(std::string_view secret, int steps_from_now) {
  return totp_code(from_base32(secret), now().ms / 30'000 + steps_from_now);
}

// The body that begins to enrol a second factor.
inline std::string password_body(std::string_view password) {
  return R"({"password":")" + std::string(password) + R"("})";
}

inline std::string code_body(std::string_view code) {
  return R"({"code":")" + std::string(code) + R"("})";
}

}  // namespace guildhall::test
