#include "storage/params.h"

#include "base/failure.h"
#include "base/text.h"

namespace guildhall {
namespace {

// True for most text, and cheaper to check than the validity of UTF-8.
bool is_ascii_without_nul(std::string_view text) {
  unsigned char bits = 0;
  bool has_nul = false;
  for (const char c : text) {
    bits |= static_cast<unsigned char>(c);
    has_nul |= c == '\0';
  }
  return bits < 0x80 && !has_nul;
}

}  // namespace

void check_text(const Query& query) {
  for (const Value& value : query.params) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr || is_ascii_without_nul(*text)) continue;
    if (!is_storable(*text)) {
      throw bad_request("INVALID_TEXT", "Text must be valid UTF-8 without NUL characters.");
    }
  }
}

}  // namespace guildhall
