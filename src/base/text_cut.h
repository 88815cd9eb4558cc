#pragma once

#include <string>
#include <string_view>

namespace guildhall {

// The length in UTF-16 code units, in which chat platforms and browsers count: most characters have one, an emoji has
// two.
std::size_t utf16_units(std::string_view utf8);

// Returns the text, or as much of its beginning as fits together with an ellipsis. The text must be valid UTF-8.
std::string cut_text(std::string text, std::size_t units_max);

}  // namespace guildhall
