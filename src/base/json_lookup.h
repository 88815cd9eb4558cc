#pragma once

#include <memory>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>

namespace guildhall {

// Somebody else's document, of which we need a few values: `lookup.text("/data/hosted_url")`. Where a shape is ours,
// declare a struct instead.
class JsonLookup {
 public:
  // Nothing for what is not a JSON object.
  static std::optional<JsonLookup> parse(std::string_view text);

  // Nothing for what is not a JSON list. Its items are `/0`, `/1` …
  static std::optional<JsonLookup> parse_list(std::string_view text);

  // A text as it is; a number or a boolean as it is written. Empty when there is nothing, or something else.
  std::string text(std::string_view pointer) const;

  bool has(std::string_view pointer) const;          // and it is not null
  std::size_t size(std::string_view pointer) const;  // of a list; 0 when there is none

 private:
  JsonLookup() = default;
  static std::optional<JsonLookup> parse_any(std::string_view text);

  std::unique_ptr<simdjson::dom::parser> parser_ = std::make_unique<simdjson::dom::parser>();  // elements point into it
  simdjson::dom::element document_;
};

}  // namespace guildhall
