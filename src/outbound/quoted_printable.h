#pragma once

#include <string>
#include <string_view>

// The transfer encoding of mails that carries any text over servers that take only ASCII and short lines (RFC 2045).
namespace guildhall::outbound {

// Encodes a text. Its lines end with LF or CRLF, those of the result with CRLF, the last one too.
std::string quoted_printable(std::string_view text);

// Decodes a text. Leaves sequences that are not valid as they are.
std::string from_quoted_printable(std::string_view text);

}  // namespace guildhall::outbound
