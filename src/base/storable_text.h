#pragma once

#include <string>
#include <string_view>

namespace guildhall {

// Makes a text of another system, such as an error message, storable in a column: the result is valid UTF-8 without
// U+0000 and has at most bytes_max bytes.
std::string storable_text(std::string_view text, std::size_t bytes_max = 1000);

}  // namespace guildhall
