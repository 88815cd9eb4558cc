#include "support/body_maker.h"

#include <atomic>
#include <fmt/format.h>
#include <simdjson.h>

#include "support/pictures.h"

namespace guildhall::test {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::element;

std::string json_text(std::string_view text) {
  std::string out;
  json::append_string(out, text);
  return out;
}

std::string fresh_text() {
  static std::atomic<int> count = 0;
  return fmt::format("gen-{}-x", ++count);
}

class Maker {
 public:
  Maker(const std::map<std::string, std::string>& components, const std::string& id)
      : components_(components), id_(id) {}

  std::string value(std::string_view schema_text, std::string_view key) {
    simdjson::dom::parser parser;  // one for each level, because a document is valid as long as its parser
    const simdjson::padded_string padded(schema_text);
    return value(element(parser.parse(padded)), key);
  }

  bool named_records() const { return named_records_; }

 private:
  std::string value(element schema, std::string_view key) {
    std::string_view reference, type;
    simdjson::dom::array options;
    if (schema["$ref"].get(reference) == SUCCESS) {
      return value(components_.at(std::string(reference.substr(reference.rfind('/') + 1))), key);
    }
    if (schema["anyOf"].get(options) == SUCCESS) return value(options.at(0).value(), key);
    if (schema["enum"].get(options) == SUCCESS) return simdjson::minify(options.at(0).value());
    if (schema["type"].get(type) != SUCCESS) return "{}";
    if (type == "object") return object(schema);
    if (type == "array") return array(schema, key);
    if (type == "boolean") return "false";
    if (type == "integer" || type == "number") return number(schema);
    return text(schema, key);
  }

  std::string object(element schema) {
    simdjson::dom::object properties;
    if (schema["properties"].get(properties) != SUCCESS) return "{}";
    std::string out;
    for (const auto [key, property] : properties) {
      if (key == "tenantId" || !(is_required(schema, key) || is_conditional(key) || has_ids(property, key))) continue;
      out += fmt::format("{}{}:{}", out.empty() ? "" : ",", json_text(key), value(property, key));
    }
    return "{" + out + "}";
  }

  // True for fields that are required only in some cases, which the schema does not state.
  static bool is_conditional(std::string_view key) {
    return key == "percent" || key == "name" || key == "sku" || key == "unitPriceCents";
  }

  // True if this schema, or one below it, has a field that names a record.
  bool has_ids(element schema, std::string_view key) {
    if (names_a_record(key)) return true;
    const bool named_before = std::exchange(named_records_, false);
    value(schema, key);
    return std::exchange(named_records_, named_before);
  }

  static bool is_required(element schema, std::string_view key) {
    simdjson::dom::array required;
    if (schema["required"].get(required) != SUCCESS) return false;
    for (const element name : required) {
      if (std::string_view(name) == key) return true;
    }
    return false;
  }

  std::string array(element schema, std::string_view key) {
    element items;
    if (schema["items"].get(items) != SUCCESS) return "[]";
    return "[" + value(items, key) + "]";
  }

  static std::string number(element schema) {
    std::int64_t minimum = 1;
    if (schema["minimum"].get(minimum) != SUCCESS) minimum = 1;
    return std::to_string(std::max<std::int64_t>(minimum, 1));
  }

  std::string text(element schema, std::string_view key) {
    std::string_view format;
    if (names_a_record(key)) {
      named_records_ = true;
      return json_text(id_);
    }
    if (key == "currency") return json_text("USD");
    if (schema["format"].get(format) != SUCCESS) return json_text(fresh_text());
    if (format == "email") return json_text("a@example.com");
    if (format == "uri") return json_text("https://example.com/");
    return format == "date-time" ? json_text("2026-01-01T00:00:00Z") : json_text(fresh_text());
  }

  const std::map<std::string, std::string>& components_;
  const std::string& id_;
  bool named_records_ = false;
};

}  // namespace

// The excluded keys are ids of other systems, not of our records.
bool names_a_record(std::string_view key) {
  return (key.ends_with("Id") || key.ends_with("Ids")) && key != "chatId" && key != "eventId" && key != "clientId";
}

BodyMaker::BodyMaker(const api::Route& route) {
  if (!route.media_types.empty()) {
    content_type_ = route.media_types.front();
    bytes_ = png_of(quarters(4, 4));
  }
  if (route.body == nullptr) return;
  Schema schema;
  route.body(schema);
  schema_ = schema.out;
  components_ = schema.components;
  const std::string any = "any";
  Maker maker(components_, any);
  maker.value(schema_, "");
  names_records_ = maker.named_records();
}

std::string BodyMaker::make(const std::string& id) {
  if (schema_.empty()) return bytes_;
  return Maker(components_, id).value(schema_, "");
}

}  // namespace guildhall::test
