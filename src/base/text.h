#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

// Text in UTF-8: comparing, shortening, and making it fit for where it goes.
namespace guildhall {

// Text for comparing without case: every letter in lower case, and the final sigma as any other. Done here and not by
// the databases, which disagree about it. The sharp s stays what it is, so that stored keys keep their length.
std::string folded(std::string_view utf8);

// A LIKE pattern that finds the folded text anywhere, % and _ taken literally (ESCAPE '\').
std::string contains_pattern(std::string_view text);

// The text in which a search looks for `contains_pattern`: the parts, folded and each on a line of its own. It is cut
// to what both databases can index.
std::string search_text(std::initializer_list<std::string_view> parts);

// The length in UTF-16 code units, in which chat platforms and browsers count: most characters have one, an emoji has
// two.
std::size_t utf16_units(std::string_view utf8);

// Returns the text, or as much of its beginning as fits together with an ellipsis. The text must be valid UTF-8.
std::string cut_text(std::string text, std::size_t units_max);

// Whether the text can be stored as it is: valid UTF-8 without U+0000, which PostgreSQL does not accept.
bool is_storable(std::string_view text);

// Text from outside (an error, another server's message) made fit for a column: valid UTF-8 without U+0000, and short.
std::string storable_text(std::string_view text, std::size_t bytes_max = 1000);

// Escapes the text for the content and the quoted attributes of HTML.
std::string html_escaped(std::string_view text);

}  // namespace guildhall
