#pragma once

#include <string>
#include <vector>

#include "api/route.h"

namespace guildhall::api {

// The OpenAPI 3.1 document of a route table.
std::string openapi_document(const std::vector<Route>& routes);

// A self-contained page that shows the same table to people: no script, no other origin.
std::string docs_page(const std::vector<Route>& routes);

// GET /openapi.json and GET /docs, themselves part of what they describe. Call last, with all other routes.
void add_description_routes(std::vector<Route>& routes);

}  // namespace guildhall::api
