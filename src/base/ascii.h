#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

// Text of the protocol is ASCII: no locale, no table of the C library.
namespace guildhall {

inline char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

// Neither a space nor a control character.
constexpr bool is_visible_ascii(char c) {
  return c > 0x20 && c < 0x7f;
}

inline bool is_visible_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_visible_ascii(c); });
}

// Compares without case; the second text is given in lower case.
inline bool is_text(std::string_view text, std::string_view lower_case) {
  if (text.size() != lower_case.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (lower(text[i]) != lower_case[i]) return false;
  }
  return true;
}

// Without the spaces and tabs around it.
inline std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace guildhall
