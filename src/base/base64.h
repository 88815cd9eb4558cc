#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace guildhall {

// Plain base64 with padding (see base/encoding.h for writing it). Strict: one value has one text.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace guildhall
