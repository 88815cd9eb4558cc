#pragma once

#include <vector>

#include "features/identity/auth.h"
#include "http/route.h"

namespace guildhall {

// One's own sessions: the list, and their ends.
std::vector<http::Route> session_routes(Auth& auth);

}  // namespace guildhall
