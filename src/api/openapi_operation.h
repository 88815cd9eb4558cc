#pragma once

#include <string>
#include <string_view>

#include "api/described_schemas.h"
#include "api/reference.h"
#include "api/route.h"

// The operations of the OpenAPI document: one for each route.
namespace guildhall::api {

// The texts and types from which all operations are described.
struct OperationSources {
  const Reference& reference;
  const DescribedSchemas& schemas;  // of the types in `schema`
  Schema& schema;                   // has the types of all routes already
  std::string_view base_url;        // for the code samples
};

// The texts of a route in the reference. They are empty if the reference does not describe the route.
const Reference::Operation& texts_of(const Route& route, const Reference& reference);

// The path of a route in the document: /api/data/customer/{id} for /api/data/customer/:id.
std::string described_path(const Route& route, const Reference& reference);

// Returns the operation of a route as JSON: its texts, callers, parameters, body, replies and code samples. Throws
// logic_error if the reference names an error code for it that has no note.
std::string describe_operation(const Route& route, const OperationSources& sources);

}  // namespace guildhall::api
