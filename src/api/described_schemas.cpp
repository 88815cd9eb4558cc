#include "api/described_schemas.h"

#include "base/json_writer.h"

namespace guildhall::api {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::element;

constexpr int depth_max = 8;
constexpr std::string_view reference_prefix = "#/components/schemas/";

std::string json_text(std::string_view text) {
  return json::Value(text).text;
}

// The schema without `null` as a second possibility.
element without_null(element schema) {
  simdjson::dom::array options;
  return schema["anyOf"].get(options) == SUCCESS ? options.at(0).value() : schema;
}

std::string_view text_at(element schema, const char* key) {
  std::string_view text;
  return schema[key].get(text) == SUCCESS ? text : std::string_view();
}

std::string_view type_in(element schema) {
  const std::string_view reference = text_at(schema, "$ref");
  return reference.starts_with(reference_prefix) ? reference.substr(reference_prefix.size()) : std::string_view();
}

// True if the values of the schema are given by the schema itself: an enum, or a type that has examples of its own.
bool is_made_of_known_values(element schema) {
  schema = without_null(schema);
  element items;
  if (schema["items"].get(items) == SUCCESS) return is_made_of_known_values(items);
  return !schema["enum"].error() || !type_in(schema).empty();
}

void append_indented(std::string& out, element value, int depth) {
  const std::string line = "\n" + std::string(static_cast<std::size_t>(depth) * 2 + 2, ' ');
  const std::string last_line = "\n" + std::string(static_cast<std::size_t>(depth) * 2, ' ');
  simdjson::dom::object members;
  simdjson::dom::array elements;
  if (value.get(members) == SUCCESS && members.size() > 0) {
    char separator = '{';
    for (const auto [key, member] : members) {
      out += separator + line + json_text(key) + ": ";
      append_indented(out, member, depth + 1);
      separator = ',';
    }
    out += last_line + "}";
  } else if (value.get(elements) == SUCCESS && elements.size() > 0) {
    char separator = '[';
    for (const element each : elements) {
      out += separator + line;
      append_indented(out, each, depth + 1);
      separator = ',';
    }
    out += last_line + "]";
  } else {
    out += simdjson::minify(value);
  }
}

}  // namespace

void add_to_object(std::string& object, std::string_view key, std::string_view json) {
  object.pop_back();
  if (object.size() > 1) object += ',';
  object.append(json_text(key)).append(":").append(json).append("}");
}

std::string indented(const std::string& json) {
  simdjson::dom::parser parser;
  std::string out;
  append_indented(out, parser.parse(json).value(), 0);
  return out;
}

DescribedSchemas::DescribedSchemas(const std::map<std::string, std::string>& components, const Reference& reference)
    : reference_(reference) {
  const std::string all = json::write_object([&](json::ObjectWriter& object) {
    for (const auto& [name, text] : components) object.key(name) += text;
  });
  components_ = parser_.parse(all).get_object().value();
}

std::string DescribedSchemas::described(const std::string& type) const {
  const element schema = components_[type].value();
  return json::write_object([&](json::ObjectWriter& out) {
    if (const auto* note = reference_.own_field(type, "")) out.add("description", note->description);
    for (const auto [key, value] : simdjson::dom::object(schema)) {
      if (key != "properties") {
        out.key(key) += simdjson::minify(value);
        continue;
      }
      json::ObjectWriter properties(out.key(key));
      for (const auto [name, property] : simdjson::dom::object(value)) {
        std::string text = simdjson::minify(property);
        if (const auto* note = reference_.field(type, name))
          add_to_object(text, "description", json_text(note->description));
        if (const auto example = example_of_field(type, name, property, 0)) {
          add_to_object(text, "examples", "[" + *example + "]");
        }
        if (reference_.is_deprecated(type, name)) add_to_object(text, "deprecated", "true");
        properties.key(name) += text;
      }
    }
    if (const auto example = example_of_type(type, 0)) out.key("examples") += "[" + *example + "]";
  });
}

std::optional<std::string> DescribedSchemas::example(const std::string& schema) const {
  simdjson::dom::parser parser;
  return example_of(parser.parse(schema).value(), 0);
}

std::optional<std::string> DescribedSchemas::body_example(const std::string& schema) const {
  simdjson::dom::parser parser;
  const std::string_view type = type_in(parser.parse(schema).value());
  element body;
  if (type.empty() || components_[type].get(body) != SUCCESS) return std::nullopt;
  simdjson::dom::array required;
  const auto is_required = [&](std::string_view name) {
    for (const element each : required) {
      if (std::string_view(each) == name) return true;
    }
    return false;
  };
  const bool some = body["required"].get(required) == SUCCESS && required.size() > 0;
  int added = 0;
  return json::write_object([&](json::ObjectWriter& out) {
    for (const auto [name, property] : simdjson::dom::object(body["properties"])) {
      if (some ? !is_required(name) : added > 0) continue;
      if (const auto example = example_of_field(type, name, property, 0)) out.key(name) += *example;
      ++added;
    }
  });
}

std::optional<std::string> DescribedSchemas::example_of_type(std::string_view type, int depth) const {
  element schema, properties;
  if (depth > depth_max || components_[type].get(schema) != SUCCESS) return std::nullopt;
  if (schema["properties"].get(properties) != SUCCESS) return std::nullopt;
  return json::write_object([&](json::ObjectWriter& out) {
    for (const auto [name, property] : simdjson::dom::object(properties)) {
      if (const auto example = example_of_field(type, name, property, depth + 1)) out.key(name) += *example;
    }
  });
}

std::optional<std::string> DescribedSchemas::example_of_field(std::string_view type, std::string_view key,
                                                              element schema, int depth) const {
  const auto* own = reference_.own_field(type, key);
  if (own != nullptr && !own->example.empty()) return own->example;
  if (!is_made_of_known_values(schema)) {
    const auto* shared = reference_.field({}, key);
    if (shared != nullptr && !shared->example.empty()) return shared->example;
  }
  return example_of(schema, depth);
}

std::optional<std::string> DescribedSchemas::example_of(element schema, int depth) const {
  schema = without_null(schema);
  if (const std::string_view type = type_in(schema); !type.empty()) return example_of_type(type, depth);
  simdjson::dom::array values;
  if (schema["enum"].get(values) == SUCCESS) return simdjson::minify(values.at(0).value());
  element items;
  if (schema["items"].get(items) == SUCCESS) {
    const auto item = example_of(items, depth);
    return item ? std::optional("[" + *item + "]") : std::nullopt;
  }
  if (text_at(schema, "type") == "boolean") return "true";
  if (text_at(schema, "format") == "date-time") return R"("2026-11-15T09:30:00.000Z")";
  if (text_at(schema, "format") == "date") return R"("2026-11-15")";
  if (text_at(schema, "format") == "email") return R"("mia@example.com")";
  return std::nullopt;
}

}  // namespace guildhall::api
