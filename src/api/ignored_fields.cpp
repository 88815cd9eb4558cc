#include "api/ignored_fields.h"

#include <algorithm>
#include <simdjson.h>

#include "api/openapi_components.h"
#include "base/ascii.h"

namespace guildhall::api {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::object;

constexpr int names_max = 20;
constexpr std::size_t name_bytes_max = 100;

bool parse_object(simdjson::dom::parser& parser, std::string_view text, object& out) {
  return parser.parse(text.data(), text.size()).get(out) == SUCCESS;
}

bool has_value(const object& record, std::string_view key, simdjson::dom::element value) {
  simdjson::dom::element present;
  return record[key].get(present) == SUCCESS && simdjson::minify(present) == simdjson::minify(value);
}

}  // namespace

std::vector<std::string> fields_of_body(const Route& route) {
  std::vector<std::string> names;
  if (route.body == nullptr) return names;
  Schema schema;
  simdjson::dom::parser parser, type_parser;
  object type, properties;
  std::string_view reference;
  if (!parse_object(parser, schema_text(route.body, schema), type) || type["$ref"].get(reference) != SUCCESS) {
    return names;
  }
  const auto component = schema.components.find(std::string(reference.substr(reference.rfind('/') + 1)));
  if (component == schema.components.end() || !parse_object(type_parser, component->second, type)) return names;
  if (type["properties"].get(properties) != SUCCESS) return names;
  for (const auto [name, property] : properties) names.emplace_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

std::string ignored_fields(std::string_view body, std::string_view reply, const std::vector<std::string>& accepted) {
  thread_local simdjson::dom::parser body_parser, reply_parser;
  object sent, record;
  std::string names;
  if (!parse_object(body_parser, body, sent)) return names;
  bool has_record = false;
  int count = 0;
  for (const auto [key, value] : sent) {
    if (std::binary_search(accepted.begin(), accepted.end(), key) || key == "tenantId") continue;
    if (!has_record && !(has_record = parse_object(reply_parser, reply, record))) return names;
    if (has_value(record, key, value) || key.size() > name_bytes_max || !is_visible_ascii(key)) continue;
    if (++count > names_max) break;
    names.append(names.empty() ? "" : ", ").append(key);
  }
  return names;
}

}  // namespace guildhall::api
