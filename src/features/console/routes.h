#pragma once

#include <vector>

#include "api/route.h"

namespace guildhall {

// The console at /console, and the entrance at /, which leads browsers there. Anybody may load it: its files contain no
// secret, and the data that it shows comes from the API, with the session of the person who uses it.
std::vector<api::Route> console_routes();

// The reference of the API and the guides at /docs. It shows /openapi.json, which anybody may read, too.
std::vector<api::Route> docs_routes();

// Declares that the routes need no rate limit, because they are answered from the program's own memory.
std::vector<api::Route> unlimited_routes(std::vector<api::Route> routes);

}  // namespace guildhall
