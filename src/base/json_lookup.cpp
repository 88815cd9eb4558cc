#include "base/json_lookup.h"

#include "base/codec.h"

namespace guildhall {

std::optional<JsonLookup> JsonLookup::parse_any(std::string_view text) {
  JsonLookup lookup;
  if (lookup.parser_->parse(text.data(), text.size()).get(lookup.document_) != simdjson::SUCCESS) return std::nullopt;
  return lookup;
}

std::optional<JsonLookup> JsonLookup::parse(std::string_view text) {
  auto lookup = parse_any(text);
  if (lookup && !lookup->document_.is_object()) lookup.reset();
  return lookup;
}

std::optional<JsonLookup> JsonLookup::parse_list(std::string_view text) {
  auto lookup = parse_any(text);
  if (lookup && !lookup->document_.is_array()) lookup.reset();
  return lookup;
}

std::string JsonLookup::text(std::string_view pointer) const {
  simdjson::dom::element value;
  if (document_.at_pointer(pointer).get(value) != simdjson::SUCCESS) return {};
  std::string_view plain;
  if (value.get(plain) == simdjson::SUCCESS) return std::string(plain);
  if (value.is_object() || value.is_array() || value.is_null()) return {};
  return simdjson::minify(value);
}

std::optional<std::string> JsonLookup::string(std::string_view pointer) const {
  std::string_view text;
  if (document_.at_pointer(pointer).get(text) != simdjson::SUCCESS) return std::nullopt;
  if (is_blank(text) || text.find('\0') != std::string_view::npos) return std::nullopt;
  return std::string(text);
}

std::optional<std::int64_t> JsonLookup::integer(std::string_view pointer) const {
  std::int64_t number = 0;
  if (document_.at_pointer(pointer).get(number) != simdjson::SUCCESS) return std::nullopt;
  return number;
}

std::optional<JsonLookup> JsonLookup::at(std::string_view pointer) const {
  simdjson::dom::element value;
  if (document_.at_pointer(pointer).get(value) != simdjson::SUCCESS) return std::nullopt;
  if (!value.is_object() && !value.is_array()) return std::nullopt;
  return JsonLookup(value);
}

bool JsonLookup::has(std::string_view pointer) const {
  simdjson::dom::element value;
  return document_.at_pointer(pointer).get(value) == simdjson::SUCCESS && !value.is_null();
}

std::size_t JsonLookup::size(std::string_view pointer) const {
  simdjson::dom::array list;
  return document_.at_pointer(pointer).get(list) == simdjson::SUCCESS ? list.size() : 0;
}

}  // namespace guildhall
