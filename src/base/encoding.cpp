#include "base/encoding.h"

#include <array>
#include <cstdint>

namespace guildhall {
namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view hex_digits = "0123456789abcdef";

constexpr std::array<int, 256> base64_values = [] {
  std::array<int, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < base64_digits.size(); ++i) {
    values[static_cast<unsigned char>(base64_digits[i])] = static_cast<int>(i);
  }
  return values;
}();

constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::span<const unsigned char> as_bytes(std::string_view text) {
  return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

}  // namespace

std::string base64url(std::span<const unsigned char> bytes) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t bits = 0;
  int held = 0;  // how many of the low bits wait to be written
  for (const unsigned char byte : bytes) {
    bits = (bits << 8) | byte;
    for (held += 8; held >= 6; held -= 6) text += base64_digits[(bits >> (held - 6)) & 63];
  }
  if (held > 0) text += base64_digits[(bits << (6 - held)) & 63];
  return text;
}

std::string base64url(std::string_view bytes) {
  return base64url(as_bytes(bytes));
}

std::string base64(std::span<const unsigned char> bytes) {
  std::string text = base64url(bytes);
  for (char& c : text) c = c == '-' ? '+' : c == '_' ? '/' : c;
  text.resize((text.size() + 3) / 4 * 4, '=');
  return text;
}

std::string base64(std::string_view bytes) {
  return base64(as_bytes(bytes));
}

std::optional<std::string> from_base64url(std::string_view text) {
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const int value = base64_values[static_cast<unsigned char>(c)];
    if (value < 0) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes += static_cast<char>((bits >> held) & 255);
    }
  }
  if ((bits & ((1U << held) - 1)) != 0) return std::nullopt;
  return bytes;
}

std::string hex(std::span<const unsigned char> bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const unsigned char byte : bytes) {
    text += hex_digits[byte >> 4];
    text += hex_digits[byte & 15];
  }
  return text;
}

std::string hex(std::string_view bytes) {
  return hex(as_bytes(bytes));
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = hex_value(text[i]);
    const int low = hex_value(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

}  // namespace guildhall
