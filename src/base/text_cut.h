#pragma once

#include <string>
#include <string_view>

namespace guildhall {

// In UTF-16 units, in which chat platforms and browsers count: most characters are one, an emoji is two.
std::size_t utf16_units(std::string_view utf8);

// The text, or as much of its beginning as fits together with an ellipsis. Must be valid UTF-8.
std::string cut_text(std::string text, std::size_t units_max);

}  // namespace guildhall
