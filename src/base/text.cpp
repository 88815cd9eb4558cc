#include "base/text.h"

#include <simdjson.h>
#include <unicase.h>
#include <unistr.h>

#include "base/ascii.h"

namespace guildhall {
namespace {

constexpr std::string_view ellipsis = "…";

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

std::size_t units_of_first(std::string_view character) {
  return static_cast<unsigned char>(character.front()) >= 0xf0 ? 2 : 1;
}

}  // namespace

std::string folded(std::string_view utf8) {
  constexpr ucs4_t sigma = 0x3c3, final_sigma = 0x3c2;
  const auto* const text = reinterpret_cast<const std::uint8_t*>(utf8.data());
  std::string out;
  out.reserve(utf8.size());
  for (std::size_t i = 0; i < utf8.size();) {
    if (text[i] < 0x80) {
      out += lower(utf8[i++]);
      continue;
    }
    ucs4_t character = 0;
    i += static_cast<std::size_t>(u8_mbtouc(&character, text + i, utf8.size() - i));
    const ucs4_t small = uc_tolower(character);
    std::array<std::uint8_t, 4> bytes;
    const int length = u8_uctomb(bytes.data(), small == final_sigma ? sigma : small, bytes.size());
    out.append(bytes.begin(), bytes.begin() + length);
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

std::string search_text(std::initializer_list<std::string_view> parts) {
  constexpr std::size_t bytes_max = 2000;
  std::string text;
  for (const std::string_view part : parts) {
    if (!text.empty() && !part.empty()) text += '\n';
    text += folded(part);
  }
  std::size_t end = std::min(text.size(), bytes_max);
  while (end < text.size() && !begins_character(text[end])) --end;
  text.resize(end);
  return text;
}

std::size_t utf16_units(std::string_view utf8) {
  std::size_t units = 0;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    if (begins_character(utf8[i])) units += units_of_first(utf8.substr(i));
  }
  return units;
}

std::string cut_text(std::string text, std::size_t units_max) {
  if (utf16_units(text) <= units_max) return text;
  if (units_max == 0) return "";
  std::size_t end = 0, units = 0;
  while (end < text.size()) {
    const std::size_t next_units = units_of_first(std::string_view(text).substr(end));
    if (units + next_units > units_max - 1) break;
    units += next_units;
    do ++end;
    while (end < text.size() && !begins_character(text[end]));
  }
  text.resize(end);
  return text.append(ellipsis);
}

bool is_storable(std::string_view text) {
  return text.find('\0') == std::string_view::npos && simdjson::validate_utf8(text.data(), text.size());
}

std::string storable_text(std::string_view text, std::size_t bytes_max) {
  std::string kept(text.substr(0, bytes_max));
  // Drops a character that was cut in two.
  while (kept.size() < text.size() && !kept.empty() && (text[kept.size()] & 0xc0) == 0x80) kept.pop_back();
  if (!simdjson::validate_utf8(kept)) {
    std::replace_if(
        kept.begin(), kept.end(), [](char c) { return (c & 0x80) != 0; }, '?');
  }
  std::replace(kept.begin(), kept.end(), '\0', '?');
  return kept;
}

std::string html_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace guildhall
