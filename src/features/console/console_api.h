#pragma once

#include <vector>

#include "api/route.h"

namespace guildhall {

// The console at /console, and / which leads there. Everybody may load it: its files hold no secret, and what it shows
// comes from the API with the session of the person who uses it.
std::vector<api::Route> console_routes();

}  // namespace guildhall
