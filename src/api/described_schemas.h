#pragma once

#include <map>
#include <optional>
#include <simdjson.h>
#include <string>

#include "api/reference.h"

namespace guildhall::api {

// The schemas of the OpenAPI document together with the texts and examples of their fields. The example of a field
// comes from the reference; if it has none, it is made from the field's schema: the first value of an enum, the example
// of a type that is described itself.
class DescribedSchemas {
 public:
  // `components` are the schemas by name, as guildhall::Schema writes them.
  DescribedSchemas(const std::map<std::string, std::string>& components, const Reference& reference);

  // The schema of a type, with a description and an example of the type and of each of its fields.
  std::string described(const std::string& type) const;

  // An example of a schema as JSON, for example of {"$ref":"#/components/schemas/Order"}. Returns nullopt if neither
  // the reference nor the schema suggests one.
  std::optional<std::string> example(const std::string& schema) const;

  // An example of a request body: the required fields of the type, or its first field if none is required.
  std::optional<std::string> body_example(const std::string& schema) const;

 private:
  using Element = simdjson::dom::element;

  std::optional<std::string> example_of(Element schema, int depth) const;
  std::optional<std::string> example_of_type(std::string_view type, int depth) const;
  std::optional<std::string> example_of_field(std::string_view type, std::string_view key, Element schema,
                                              int depth) const;

  const Reference& reference_;
  simdjson::dom::parser parser_;
  simdjson::dom::object components_;
};

// Adds members to a JSON object that is already written: {"type":"string"} and "description":"…".
void add_to_object(std::string& object, std::string_view key, std::string_view json);

// The same JSON with line breaks, indented by two spaces.
std::string indented(const std::string& json);

}  // namespace guildhall::api
