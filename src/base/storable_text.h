#pragma once

#include <string>
#include <string_view>

namespace guildhall {

// Text from outside (an error, another server's words) made fit for a column: valid UTF-8 without U+0000, and short.
std::string storable_text(std::string_view text, std::size_t bytes_max = 1000);

}  // namespace guildhall
