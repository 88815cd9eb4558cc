#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>

namespace guildhall {

// A document that another server wrote, of which we need a few values: `answer.text("/data/hosted_url")`. Where the
// shape is our own, a declared struct is decoded instead (base/declared.h). Unknown members are ignored.
class JsonLookup {
 public:
  // Nothing unless the text is a JSON object.
  static std::optional<JsonLookup> parse(std::string_view text);

  // Nothing unless the text is a JSON list. Its elements are `/0`, `/1` …
  static std::optional<JsonLookup> parse_list(std::string_view text);

  // Reads a document that has been parsed already, which must outlive the lookup.
  explicit JsonLookup(simdjson::dom::element document) : parser_(nullptr), document_(document) {}

  // The text of a string, number or boolean. Empty for null, for an object or a list, and when there is no such value.
  std::string text(std::string_view pointer) const;

  // A string that is neither blank nor has U+0000; nothing for any other value.
  std::optional<std::string> string(std::string_view pointer) const;

  // Nothing for any value but an integer of 64 bits.
  std::optional<std::int64_t> integer(std::string_view pointer) const;

  // The object or list there, which is valid as long as this document; nothing for any other value.
  std::optional<JsonLookup> at(std::string_view pointer) const;

  bool has(std::string_view pointer) const;          // a value other than null
  std::size_t size(std::string_view pointer) const;  // the length of a list; 0 when there is none

 private:
  JsonLookup() = default;
  static std::optional<JsonLookup> parse_any(std::string_view text);

  std::unique_ptr<simdjson::dom::parser> parser_ = std::make_unique<simdjson::dom::parser>();  // elements point into it
  simdjson::dom::element document_;
};

}  // namespace guildhall
