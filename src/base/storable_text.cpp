#include "base/storable_text.h"

#include <algorithm>
#include <simdjson.h>

namespace guildhall {

std::string storable_text(std::string_view text, std::size_t bytes_max) {
  std::string kept(text.substr(0, bytes_max));
  // Drops a character that was cut in two.
  while (kept.size() < text.size() && !kept.empty() && (text[kept.size()] & 0xc0) == 0x80) kept.pop_back();
  if (!simdjson::validate_utf8(kept)) {
    std::replace_if(
        kept.begin(), kept.end(), [](char c) { return (c & 0x80) != 0; }, '?');
  }
  std::replace(kept.begin(), kept.end(), '\0', '?');
  return kept;
}

}  // namespace guildhall
