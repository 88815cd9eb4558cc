#pragma once

#include <vector>

#include "api/route.h"

namespace guildhall {

// The console at /console, and a redirect from /. Anybody may load it: its files contain no secret, and the data that
// it shows comes from the API, with the session of the person who uses it.
std::vector<api::Route> console_routes();

}  // namespace guildhall
