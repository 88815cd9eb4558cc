#include "sandbox/json_text.h"

#include <simdjson.h>

namespace guildhall::sandbox {

std::string json_at(std::string_view document, std::string_view pointer, std::string otherwise) {
  simdjson::dom::parser parser;
  simdjson::dom::element root, value;
  if (parser.parse(document.data(), document.size()).get(root) != simdjson::SUCCESS ||
      root.at_pointer(pointer).get(value) != simdjson::SUCCESS || value.is_null()) {
    return otherwise;
  }
  return simdjson::minify(value);
}

}  // namespace guildhall::sandbox
