#pragma once

#include <string>
#include <vector>

#include "api/route.h"

namespace guildhall::api {

// Returns the OpenAPI 3.1 document of a route table.
std::string openapi_document(const std::vector<Route>& routes);

// Returns an HTML page that shows the same table to people. The page uses no script and no other origin.
std::string docs_page(const std::vector<Route>& routes);

// Adds GET /openapi.json and GET /docs, which also describe themselves. Must be called after all other routes have been
// added.
void add_description_routes(std::vector<Route>& routes);

}  // namespace guildhall::api
