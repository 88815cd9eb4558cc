#include "base/base64.h"

#include <algorithm>

#include "base/encoding.h"

namespace guildhall {

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0 || text.find_first_of("-_") != std::string_view::npos) return std::nullopt;
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  std::string url_text(text);
  std::replace(url_text.begin(), url_text.end(), '+', '-');
  std::replace(url_text.begin(), url_text.end(), '/', '_');
  return from_base64url(url_text);
}

}  // namespace guildhall
