#include "base/encoding.h"

#include <algorithm>
#include <sodium.h>

namespace guildhall {
namespace {

constexpr int url_safe = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
constexpr int plain = sodium_base64_VARIANT_ORIGINAL;

std::span<const unsigned char> as_bytes(std::string_view text) {
  return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

unsigned char* bytes_of(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

// libsodium ends its texts with a zero byte, for which a string always has room.
std::string encoded(std::span<const unsigned char> bytes, int variant) {
  std::string text(sodium_base64_encoded_len(bytes.size(), variant) - 1, '\0');
  sodium_bin2base64(text.data(), text.size() + 1, bytes.data(), bytes.size(), variant);
  return text;
}

// libsodium takes bytes of 0x80 and more for digits where char is signed, so they are refused before.
std::optional<std::string> decoded(std::string_view text, int variant) {
  if (std::ranges::any_of(text, [](unsigned char byte) { return byte >= 0x80; })) return std::nullopt;
  std::string bytes(text.size() * 3 / 4, '\0');
  std::size_t length = 0;
  if (sodium_base642bin(bytes_of(bytes), bytes.size(), text.data(), text.size(), nullptr, &length, nullptr, variant) !=
      0) {
    return std::nullopt;
  }
  bytes.resize(length);
  return bytes;
}

}  // namespace

std::string base64url(std::span<const unsigned char> bytes) {
  return encoded(bytes, url_safe);
}

std::string base64url(std::string_view bytes) {
  return encoded(as_bytes(bytes), url_safe);
}

std::optional<std::string> from_base64url(std::string_view text) {
  return decoded(text, url_safe);
}

std::string base64(std::span<const unsigned char> bytes) {
  return encoded(bytes, plain);
}

std::string base64(std::string_view bytes) {
  return encoded(as_bytes(bytes), plain);
}

std::optional<std::string> from_base64(std::string_view text) {
  return decoded(text, plain);
}

std::string hex(std::span<const unsigned char> bytes) {
  std::string text(bytes.size() * 2, '\0');
  sodium_bin2hex(text.data(), text.size() + 1, bytes.data(), bytes.size());
  return text;
}

std::string hex(std::string_view bytes) {
  return hex(as_bytes(bytes));
}

std::optional<std::string> from_hex(std::string_view text) {
  std::string bytes(text.size() / 2, '\0');
  std::size_t length = 0;
  if (sodium_hex2bin(bytes_of(bytes), bytes.size(), text.data(), text.size(), nullptr, &length, nullptr) != 0) {
    return std::nullopt;
  }
  bytes.resize(length);
  return bytes;
}

}  // namespace guildhall
