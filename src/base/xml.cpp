#include "base/xml.h"

#include "base/text.h"

namespace guildhall {

std::string xml_escaped(std::string_view text) {
  constexpr std::string_view last_two[]{"\xEF\xBF\xBE", "\xEF\xBF\xBF"};  // U+FFFE and U+FFFF are no characters
  std::string kept;
  kept.reserve(text.size());
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text[0]);
    const bool is_excluded = text.starts_with(last_two[0]) || text.starts_with(last_two[1]);
    if (!is_excluded && (first >= ' ' || first == '\n' || first == '\t' || first == '\r')) kept += text[0];
    text.remove_prefix(is_excluded ? 3 : 1);
  }
  return html_escaped(kept);
}

}  // namespace guildhall
