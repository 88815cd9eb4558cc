#pragma once

#include <string>
#include <string_view>

namespace guildhall {

// Fit for text and for quoted attributes.
std::string html_escaped(std::string_view text);

}  // namespace guildhall
