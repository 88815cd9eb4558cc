#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/described_schemas.h"
#include "api/reference.h"
#include "api/route.h"
#include "base/json_writer.h"

// The section `components` of the OpenAPI document: the parts that several operations refer to.
namespace guildhall::api {

// A reply that operations share: every reply with an error has the same body.
struct ErrorReply {
  int status;
  std::string_view name;
  std::string_view description;
  std::string_view example;
};

// The headers with which events are sent to webhook endpoints.
std::span<const std::string_view> webhook_headers();

// The replies that operations share, in the order of their status. Those without an example have no body.
std::span<const ErrorReply> error_replies();

// A reference to a component, for example {"$ref":"#/components/headers/ETag"}.
json::Value referred(std::string_view section, std::string_view name);

// Returns a schema as JSON. The structs that it contains are added to `schema.components`.
std::string schema_text(SchemaOf schema_of, Schema& schema);

// Adds the types of the body that every error has.
void add_error_types(Schema& schema, const Reference& reference);

// Adds `components` to the document. `schemas` describes the types of `schema`.
void add_components(json::ObjectWriter& document, const Schema& schema, const DescribedSchemas& schemas,
                    const Reference& reference);

}  // namespace guildhall::api
