#pragma once

#include <vector>

#include "features/identity/auth.h"
#include "http/route.h"

namespace guildhall {

// Users, and what they are granted.
std::vector<http::Route> user_routes(Auth& auth);

}  // namespace guildhall
