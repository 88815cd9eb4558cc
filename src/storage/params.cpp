#include "storage/params.h"

#include <simdjson.h>

#include "base/failure.h"

namespace guildhall {

void check_text(const Query& query) {
  for (const Value& value : query.params) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) continue;
    if (text->find('\0') != std::string::npos || !simdjson::validate_utf8(*text)) {
      throw bad_request("INVALID_TEXT", "Text must be valid UTF-8 without NUL characters.");
    }
  }
}

}  // namespace guildhall
