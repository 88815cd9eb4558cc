#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace guildhall {

// Percent-decoding of a path segment, or (with plus_is_space) of a query's key or value. Nothing when an
// escape is broken.
std::optional<std::string> url_decode(std::string_view text, bool plus_is_space = false);

}  // namespace guildhall
