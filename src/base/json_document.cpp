// Whole documents: parsed, checked for what simdjson lets pass, then handed to the decoders of base/codec.h.
#include "base/codec.h"
#include "base/url_decode.h"

namespace guildhall {
namespace {

constexpr int depth_max = 32;

Failure malformed_json(std::string sentence) {
  return bad_request("MALFORMED_JSON", std::move(sentence));
}

bool has_duplicates(std::vector<std::string_view>& keys) {
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

void check_text(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) throw malformed_json("The body has a U+0000 character.");
}

void check_value(JsonValue value, int depth);

void check_members(simdjson::dom::object object, int depth) {
  std::vector<std::string_view> keys;
  keys.reserve(object.size());
  for (const auto [key, value] : object) {
    check_text(key);
    keys.push_back(key);
    check_value(value, depth);
  }
  if (has_duplicates(keys)) throw malformed_json("The body has an object with the same key twice.");
}

// What simdjson lets pass and we do not, anywhere in the document.
void check_value(JsonValue value, int depth) {
  const bool nested = value.is_object() || value.is_array();
  if (nested && depth >= depth_max) throw malformed_json("The body is nested more than 32 levels deep.");
  if (value.is_object()) {
    check_members(value.get_object().value_unsafe(), depth + 1);
  } else if (value.is_array()) {
    for (const JsonValue element : value.get_array().value_unsafe()) check_value(element, depth + 1);
  } else if (value.is_string()) {
    check_text(value.get_string().value_unsafe());
  }
}

JsonValue parse(std::string_view text) {
  thread_local simdjson::dom::parser parser;
  JsonValue document;
  if (text.empty() || parser.parse(text.data(), text.size()).get(document) != simdjson::SUCCESS) {
    throw malformed_json("The body is not valid JSON.");
  }
  return document;
}

void decode_checked(JsonValue document, Decoder& decoder, FunctionRef<void(JsonValue, Decoder&)> decode) {
  decode(document, decoder);
  if (!decoder.ok()) throw invalid_fields(decoder.take_problems());
}

std::string query_part(std::string_view text) {
  auto decoded = url_decode(text, true);
  if (!decoded || !simdjson::validate_utf8(*decoded)) throw bad_request("MALFORMED_QUERY", "The query is malformed.");
  return std::move(*decoded);
}

// A query becomes a JSON object of strings, and so passes the same checks.
std::string query_as_json(std::string_view query) {
  std::string object = "{";
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (object.size() > 1) object += ',';
    json::append_string(object, query_part(pair.substr(0, equals)));
    object += ':';
    json::append_string(object, query_part(pair.substr(std::min(equals + 1, pair.size()))));
  }
  return object + "}";
}

}  // namespace

void decode_document(std::string_view text, FunctionRef<void(JsonValue, Decoder&)> decode) {
  const JsonValue document = parse(text);
  if (!document.is_object()) throw malformed_json("The body must be a JSON object.");
  check_value(document, 0);
  Decoder decoder;
  decode_checked(document, decoder, decode);
}

void decode_stored(std::string_view text, FunctionRef<void(JsonValue, Decoder&)> decode) {
  Decoder decoder;
  decode_checked(parse(text), decoder, decode);
}

void decode_query(std::string_view query, FunctionRef<void(JsonValue, Decoder&)> decode) {
  const std::string object = query_as_json(query);
  const JsonValue document = parse(object);
  try {
    check_value(document, 0);
  } catch (const Failure&) {
    throw bad_request("MALFORMED_QUERY", "The query has the same parameter twice or a U+0000 character.");
  }
  Decoder decoder(true);
  decode_checked(document, decoder, decode);
}

}  // namespace guildhall
