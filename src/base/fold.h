#pragma once

#include <string>
#include <string_view>

namespace guildhall {

// Text for comparing without case: simple case folding of Latin, Greek, Cyrillic, Armenian and full-width letters.
// Done here and not by the databases, which disagree about it.
std::string folded(std::string_view utf8);

// A LIKE pattern that finds the folded text anywhere, % and _ taken literally (ESCAPE '\').
std::string contains_pattern(std::string_view text);

}  // namespace guildhall
