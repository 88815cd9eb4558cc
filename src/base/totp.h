#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/instant.h"

// One-time codes that change with time (RFC 6238): HMAC-SHA-1, six digits, steps of 30 seconds. Authenticator
// applications support these values without further settings.
namespace guildhall {

// The code of a time step. `secret` consists of bytes, not of base32 text.
std::string totp_code(std::string_view secret, std::int64_t step);

// The time step to which the code belongs: the present one, or the one before or after it, since clocks differ. Nothing
// if the code is wrong.
std::optional<std::int64_t> totp_step(std::string_view secret, std::string_view code, Instant now);

// Base32 of RFC 4648, in upper case and without padding.
std::string base32(std::string_view bytes);

}  // namespace guildhall
