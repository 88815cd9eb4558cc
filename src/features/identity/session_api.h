#pragma once

#include <vector>

#include "api/route.h"
#include "features/identity/auth.h"

namespace guildhall {

// One's own sessions: the list, and their ends.
std::vector<api::Route> session_routes(Auth& auth);

}  // namespace guildhall
