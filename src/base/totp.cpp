#include "base/totp.h"

#include <array>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdexcept>

#include "base/crypto.h"

namespace guildhall {
namespace {

constexpr std::int64_t step_ms = 30'000;
constexpr std::int64_t steps_tolerated = 1;

std::array<unsigned char, 20> hmac_sha1(std::string_view key, const std::array<unsigned char, 8>& message) {
  std::array<unsigned char, 20> mac{};
  unsigned int size = mac.size();
  if (HMAC(EVP_sha1(), key.data(), static_cast<int>(key.size()), message.data(), message.size(), mac.data(), &size) ==
      nullptr) {
    throw std::runtime_error("The cryptographic library failed: no HMAC-SHA-1.");
  }
  return mac;
}

}  // namespace

std::string totp_code(std::string_view secret, std::int64_t step) {
  std::array<unsigned char, 8> counter{};
  for (std::size_t i = 0; i < counter.size(); ++i) {
    counter[i] = static_cast<unsigned char>(static_cast<std::uint64_t>(step) >> (56 - 8 * i));
  }
  const auto mac = hmac_sha1(secret, counter);
  const std::size_t offset = mac.back() & 0x0f;
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | mac[offset + i];
  return fmt::format("{:06}", (number & 0x7fff'ffff) % 1'000'000);
}

std::optional<std::int64_t> totp_step(std::string_view secret, std::string_view code, Instant now) {
  const std::int64_t present = now.ms / step_ms;
  std::optional<std::int64_t> found;
  for (std::int64_t step = present - steps_tolerated; step <= present + steps_tolerated; ++step) {
    if (equal_in_constant_time(totp_code(secret, step), code)) found = step;
  }
  return found;
}

std::string base32(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string text;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char byte : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(byte);
    for (count += 8; count >= 5; count -= 5) text += digits[bits >> (count - 5) & 31];
  }
  if (count > 0) text += digits[bits << (5 - count) & 31];
  return text;
}

}  // namespace guildhall
