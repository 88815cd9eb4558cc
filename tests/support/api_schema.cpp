#include "support/api_schema.h"

#include <fmt/format.h>
#include <stdexcept>

namespace guildhall::test {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::element;

bool is_of_type(element value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_int64() || value.is_uint64();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_bool();
  return type == "null" && value.is_null();
}

std::string_view next_segment(std::string_view& path) {
  path.remove_prefix(1);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

bool fits_template(std::string_view path, std::string_view pattern) {
  while (!path.empty() && !pattern.empty()) {
    const std::string_view segment = next_segment(path), wanted = next_segment(pattern);
    if (!wanted.starts_with('{') && segment != wanted) return false;
  }
  return path.empty() && pattern.empty();
}

// Pages and files for browsers are not part of the API's description.
bool is_page(std::string_view path) {
  return path.starts_with("/console") || path.starts_with("/docs");
}

}  // namespace

ApiSchema::ApiSchema(const std::string& openapi_json) {
  if (parser_.parse(openapi_json).get(document_) != SUCCESS) throw std::runtime_error("/openapi.json is not JSON");
}

bool ApiSchema::find_operation(const std::string& method, std::string_view path, element& found) const {
  std::string key = method == "HEAD" ? "get" : method;
  std::transform(key.begin(), key.end(), key.begin(), [](unsigned char c) { return std::tolower(c); });
  std::string_view best;
  for (const auto [pattern, operations] : simdjson::dom::object(document_["paths"])) {
    element candidate;
    if (!fits_template(path, pattern) || operations[key].get(candidate) != SUCCESS) continue;
    if (best.empty() || pattern.find('{') == std::string_view::npos || best.find('{') < pattern.find('{')) {
      best = pattern;
      found = candidate;
    }
  }
  return !best.empty();
}

std::string ApiSchema::mismatch(const std::string& method, const std::string& path, const HttpReply& reply) const {
  const std::string_view plain = std::string_view(path).substr(0, path.find('?'));
  if (is_page(plain)) return "";
  element described, response;
  if (!find_operation(method, plain, described)) {
    if (reply.status < 400) return fmt::format("/openapi.json has no {} {}", method, plain);
    response = document_["components"]["responses"]["Error"];  // all errors have the same schema
  } else if (described["responses"][std::to_string(reply.status)].get(response) != SUCCESS) {
    return fmt::format("status {} is not described", reply.status);
  }
  std::string_view shared;
  if (response["$ref"].get(shared) == SUCCESS) response = document_.at_pointer(shared.substr(1));
  for (const char* name : {"Set-Cookie", "Location", "WWW-Authenticate", "Retry-After", "ETag", "Ignored-Fields"}) {
    element header;
    if (!reply.header(name).empty() && response["headers"][name].get(header) != SUCCESS) {
      return fmt::format("the header {} is not described", name);
    }
  }
  element schema;
  if (reply.body.empty() || response["content"]["application/json"]["schema"].get(schema) != SUCCESS) return "";
  simdjson::dom::parser parser;
  element value;
  if (parser.parse(reply.body).get(value) != SUCCESS) return "the body is not JSON";
  return check(schema, value, "");
}

std::string ApiSchema::check(element schema, element value, const std::string& where) const {
  std::string_view reference, type;
  simdjson::dom::array list;
  if (schema["$ref"].get(reference) == SUCCESS) {
    return check(document_.at_pointer(reference.substr(1)), value, where);
  }
  if (schema["anyOf"].get(list) == SUCCESS) {
    std::string why;
    for (const element option : list) {
      why = check(option, value, where);
      if (why.empty()) return "";
    }
    return why;
  }
  if (schema["type"].get(type) == SUCCESS && !is_of_type(value, type)) return fmt::format("{} is not {}", where, type);
  if (schema["enum"].get(list) == SUCCESS) {
    bool listed = false;
    for (const element option : list) listed = listed || std::string_view(option) == std::string_view(value);
    if (!listed) return fmt::format("{} has a value that is not listed", where);
  }
  if (value.is_object()) return check_object(schema, value, where);
  element items;
  if (value.is_array() && schema["items"].get(items) == SUCCESS) {
    std::size_t index = 0;
    for (const element item : simdjson::dom::array(value)) {
      std::string why = check(items, item, fmt::format("{}[{}]", where, index++));
      if (!why.empty()) return why;
    }
  }
  return "";
}

std::string ApiSchema::check_object(element schema, simdjson::dom::object value, const std::string& where) const {
  simdjson::dom::array required;
  if (schema["required"].get(required) == SUCCESS) {
    for (const element name : required) {
      element ignored;
      if (value[std::string_view(name)].get(ignored) != SUCCESS) {
        return fmt::format("{}.{} is missing", where, std::string_view(name));
      }
    }
  }
  element properties, other;
  const bool listed = schema["properties"].get(properties) == SUCCESS;
  const bool open = schema["additionalProperties"].get(other) == SUCCESS;
  for (const auto [key, member] : value) {
    element property;
    const std::string inside = fmt::format("{}.{}", where, key);
    if (listed && properties[key].get(property) == SUCCESS) {
      std::string why = check(property, member, inside);
      if (!why.empty()) return why;
    } else if (open && other.is_object()) {
      std::string why = check(other, member, inside);
      if (!why.empty()) return why;
    } else if (listed && !open) {
      return fmt::format("{} is not described", inside);
    }
  }
  return "";
}

}  // namespace guildhall::test
