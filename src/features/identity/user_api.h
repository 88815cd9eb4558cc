#pragma once

#include <vector>

#include "api/route.h"
#include "features/identity/auth.h"

namespace guildhall {

// Users, and what they are granted.
std::vector<api::Route> user_routes(Auth& auth);

}  // namespace guildhall
