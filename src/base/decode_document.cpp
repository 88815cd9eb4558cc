// Whole documents: parsed, checked for what simdjson lets pass, then handed to a decoder.
#include "base/decoder.h"
#include "base/url.h"

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

bool has_nul(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

void check_value(JsonValue value, int depth, Decoder& decoder);

void check_members(simdjson::dom::object object, int depth, Decoder& decoder) {
  std::vector<std::string_view> keys;
  keys.reserve(object.size());
  for (const auto [key, value] : object) {
    const Decoder::Step step(decoder, key);
    if (has_nul(key)) decoder.problem("must not have U+0000 in its name");
    keys.push_back(key);
    check_value(value, depth, decoder);
  }
  if (has_duplicates(keys)) throw malformed_json("The body has an object with the same key twice.");
}

void check_elements(simdjson::dom::array array, int depth, Decoder& decoder) {
  std::size_t index = 0;
  for (const JsonValue element : array) {
    const Decoder::Step step(decoder, index++);
    check_value(element, depth, decoder);
  }
}

// Refuses what simdjson accepts and we do not, anywhere in the document: throws for its form, notes a problem for a
// field.
void check_value(JsonValue value, int depth, Decoder& decoder) {
  const bool nested = value.is_object() || value.is_array();
  if (nested && depth >= depth_max) throw malformed_json("The body is nested more than 32 levels deep.");
  if (value.is_object()) {
    check_members(value.get_object().value_unsafe(), depth + 1, decoder);
  } else if (value.is_array()) {
    check_elements(value.get_array().value_unsafe(), depth + 1, decoder);
  } else if (value.is_string() && has_nul(value.get_string().value_unsafe())) {
    decoder.problem("must not contain U+0000");
  }
}

// The length of the JSON number that begins the text and ends where a number may end; zero if there is none.
std::size_t number_length(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t first = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - first;
  };
  const bool leading_zero = at < text.size() && text[at] == '0';
  if (const std::size_t count = digits(); count == 0 || (leading_zero && count > 1)) return 0;
  if (at < text.size() && text[at] == '.' && (++at, digits() == 0)) return 0;
  if (at < text.size() && (text[at] | 0x20) == 'e') {
    if (++at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return 0;
  }
  return text.find_first_of(" \t\r\n,]}", at) == at || at == text.size() ? at : 0;
}

// simdjson has one error for numbers that are malformed and for those that it cannot hold.
bool numbers_are_well_formed(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      while (++at < text.size() && text[at] != '"') at += text[at] == '\\' ? 1 : 0;
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      const std::size_t length = number_length(text.substr(at));
      if (length == 0) return false;
      at += length - 1;
    }
  }
  return true;
}

JsonValue parse(std::string_view text) {
  thread_local simdjson::dom::parser parser;
  JsonValue document;
  const auto error = text.empty() ? simdjson::EMPTY : parser.parse(text.data(), text.size()).get(document);
  if (error == simdjson::SUCCESS) return document;
  if (error == simdjson::NUMBER_ERROR && numbers_are_well_formed(text)) {
    throw malformed_json("The body has a number that does not fit 64 bits.");
  }
  throw malformed_json("The body is not valid JSON.");
}

void require_ok(Decoder& decoder) {
  if (!decoder.ok()) throw invalid_fields(decoder.take_problems());
}

std::string query_part(std::string_view text) {
  auto decoded = url_decode(text, true);
  if (!decoded || !simdjson::validate_utf8(*decoded)) throw bad_request("MALFORMED_QUERY", "The query is malformed.");
  return std::move(*decoded);
}

std::map<std::string, std::vector<std::string>> parameters_of(std::string_view query) {
  std::map<std::string, std::vector<std::string>> parameters;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    parameters[query_part(pair.substr(0, equals))].push_back(
        query_part(pair.substr(std::min(equals + 1, pair.size()))));
  }
  return parameters;
}

using Parameters = std::map<std::string, std::vector<std::string>>;

void add_parameters(json::ObjectWriter& object, const Parameters& parameters) {
  for (const auto& [name, values] : parameters) {
    if (values.size() == 1) {
      object.add(name, values.front());
    } else {
      object.add(name, values);
    }
  }
}

// The parameters `metadata[key]` by their keys, which are taken out of the others.
Parameters take_metadata(Parameters& parameters) {
  constexpr std::string_view name = "metadata", open = "metadata[";
  Parameters found;
  for (auto& [parameter, values] : parameters) {
    if (!parameter.starts_with(open) || !parameter.ends_with(']')) continue;
    found.emplace(parameter.substr(open.size(), parameter.size() - open.size() - 1), std::move(values));
  }
  if (found.empty()) return found;
  std::erase_if(parameters, [&](const auto& each) {
    return each.first == name || (each.first.starts_with(open) && each.first.ends_with(']'));
  });
  return found;
}

// A query becomes a JSON object of strings, and so passes the same checks. A repeated parameter becomes a list, which
// only parameters with several values accept, and `metadata[key]` becomes a member of the object `metadata`.
std::string query_as_json(std::string_view query) {
  Parameters parameters = parameters_of(query);
  const Parameters metadata = take_metadata(parameters);
  return json::write_object([&](json::ObjectWriter& object) {
    add_parameters(object, parameters);
    if (metadata.empty()) return;
    json::ObjectWriter nested(object.key("metadata"));
    add_parameters(nested, metadata);
  });
}

}  // namespace

std::vector<Problem> decode_leniently(std::string_view text, FunctionRef<void(JsonValue, Decoder&)> decode,
                                      Decoder::Unknown unknown) {
  const JsonValue document = parse(text);
  if (!document.is_object()) throw malformed_json("The body must be a JSON object.");
  Decoder decoder(Decoder::Source::body, unknown);
  check_value(document, 0, decoder);
  decode(document, decoder);
  return decoder.take_problems();
}

void decode_document(std::string_view text, FunctionRef<void(JsonValue, Decoder&)> decode, Decoder::Unknown unknown) {
  if (auto problems = decode_leniently(text, decode, unknown); !problems.empty()) {
    throw invalid_fields(std::move(problems));
  }
}

void decode_stored(std::string_view text, FunctionRef<void(JsonValue, Decoder&)> decode) {
  Decoder decoder(Decoder::Source::stored);
  decode(parse(text), decoder);
  require_ok(decoder);
}

void decode_query(std::string_view query, FunctionRef<void(JsonValue, Decoder&)> decode, Decoder::Unknown unknown) {
  const std::string object = query_as_json(query);
  const JsonValue document = parse(object);
  Decoder decoder(Decoder::Source::query, unknown);
  check_value(document, 0, decoder);
  decode(document, decoder);
  require_ok(decoder);
}

}  // namespace guildhall
