#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace guildhall {

// base64url of RFC 4648, without padding.
std::string base64url(std::span<const unsigned char> bytes);
std::string base64url(std::string_view bytes);

// Plain base64 with padding, which some signatures use.
std::string base64(std::span<const unsigned char> bytes);
std::string base64(std::string_view bytes);

// Both are strict: nothing for missing or superfluous padding, any other character, an impossible length, or bits set
// past the last byte. So one value has one text, and a signed text cannot be written in another way.
std::optional<std::string> from_base64url(std::string_view text);
std::optional<std::string> from_base64(std::string_view text);

// Lower case.
std::string hex(std::span<const unsigned char> bytes);
std::string hex(std::string_view bytes);

// Either case; nothing for an odd length or any other character.
std::optional<std::string> from_hex(std::string_view text);

}  // namespace guildhall
