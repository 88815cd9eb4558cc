#pragma once

#include <string>
#include <string_view>

namespace guildhall {

// Escapes a text for use as HTML text or in a quoted attribute.
std::string html_escaped(std::string_view text);

}  // namespace guildhall
