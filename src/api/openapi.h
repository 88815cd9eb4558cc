#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/reference.h"
#include "api/route.h"

namespace guildhall::api {

// An event that is sent to webhook endpoints.
struct OutgoingEvent {
  std::string_view name;
  SchemaOf data;  // of the payload
};

// Returns the OpenAPI 3.1 document of a route table and of the events that leave the server, with the texts of the
// reference. `base_url` is the address at which clients reach the server.
std::string openapi_document(const std::vector<Route>& routes, std::span<const OutgoingEvent> events,
                             const Reference& reference, std::string_view base_url);

// Adds GET /openapi.json, which also describes itself. Must be called after all other routes have been added. The
// document is made once for all route tables of the process that have the same routes.
void add_description_route(std::vector<Route>& routes, std::span<const OutgoingEvent> events,
                           std::string_view base_url);

}  // namespace guildhall::api
