#include "base/text_cut.h"

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

}  // namespace guildhall
