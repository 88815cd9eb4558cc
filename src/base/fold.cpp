#include "base/fold.h"

#include <cstdint>

namespace guildhall {
namespace {

// Blocks in which capital and small letters alternate, beginning with the given parity for capitals.
bool is_alternating_capital(std::uint32_t c) {
  const auto even_in = [c](std::uint32_t first, std::uint32_t last) { return c >= first && c <= last && c % 2 == 0; };
  const auto odd_in = [c](std::uint32_t first, std::uint32_t last) { return c >= first && c <= last && c % 2 == 1; };
  return even_in(0x100, 0x12e) || even_in(0x132, 0x136) || odd_in(0x139, 0x147) || even_in(0x14a, 0x176) ||
         odd_in(0x179, 0x17d) || odd_in(0x1cd, 0x1db) || even_in(0x1de, 0x1ee) || even_in(0x1f8, 0x21e) ||
         even_in(0x222, 0x232) || even_in(0x3d8, 0x3ee) || even_in(0x460, 0x480) || even_in(0x48a, 0x4be) ||
         odd_in(0x4c1, 0x4cd) || even_in(0x4d0, 0x52e) || even_in(0x1e00, 0x1e94) || even_in(0x1ea0, 0x1efe);
}

std::uint32_t fold(std::uint32_t c) {
  if (c >= 'A' && c <= 'Z') return c + 32;
  if (c < 0x80) return c;
  if (c >= 0xc0 && c <= 0xde && c != 0xd7) return c + 32;     // À … Þ
  if (c == 0x178) return 0xff;                                // Ÿ
  if (c == 0x386) return 0x3ac;                               // Ά
  if (c >= 0x388 && c <= 0x38a) return c + 37;                // Έ Ή Ί
  if (c == 0x38c) return 0x3cc;                               // Ό
  if (c == 0x38e || c == 0x38f) return c + 63;                // Ύ Ώ
  if (c >= 0x391 && c <= 0x3ab && c != 0x3a2) return c + 32;  // Α … Ϋ
  if (c == 0x3c2) return 0x3c3;                               // final sigma
  if (c >= 0x400 && c <= 0x40f) return c + 80;                // Ѐ … Џ
  if (c >= 0x410 && c <= 0x42f) return c + 32;                // А … Я
  if (c >= 0x531 && c <= 0x556) return c + 48;                // Armenian
  if (c == 0x1e9e) return 0xdf;                               // capital sharp s
  if (c >= 0xff21 && c <= 0xff3a) return c + 32;              // full width
  return is_alternating_capital(c) ? c + 1 : c;
}

// Every letter above lies below U+10000 and keeps its length of two or three bytes, but for the sharp s.
void append(std::string& out, std::uint32_t c) {
  if (c < 0x800) {
    out += static_cast<char>(0xc0 | c >> 6);
  } else {
    out += static_cast<char>(0xe0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3f));
  }
  out += static_cast<char>(0x80 | (c & 0x3f));
}

}  // namespace

std::string folded(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size());
  for (std::size_t i = 0; i < utf8.size();) {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(static_cast<unsigned char>(utf8[at])); };
    const std::uint32_t first = byte(i);
    const std::size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length == 1) {
      out += static_cast<char>(fold(first));
    } else if (length == 4 || i + length > utf8.size()) {
      out += utf8.substr(i, length);
    } else if (length == 2) {
      append(out, fold((first & 0x1f) << 6 | (byte(i + 1) & 0x3f)));
    } else {
      append(out, fold((first & 0x0f) << 12 | (byte(i + 1) & 0x3f) << 6 | (byte(i + 2) & 0x3f)));
    }
    i += length;
  }
  return out;
}

std::string contains_pattern(std::string_view text) {
  std::string pattern = "%";
  for (const char c : folded(text)) {
    if (c == '%' || c == '_' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern + "%";
}

}  // namespace guildhall
