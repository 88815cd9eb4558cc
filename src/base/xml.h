#pragma once

#include <string>
#include <string_view>

namespace guildhall {

// Escapes the text for the content and the quoted attributes of XML. Control characters, which XML cannot contain, are
// left out, except for line breaks and tabs.
std::string xml_escaped(std::string_view text);

}  // namespace guildhall
