#pragma once

#include <vector>

#include "api/route.h"
#include "features/identity/auth.h"

namespace guildhall {

// Sign-in through the chat platform, and how a tenant configures it.
std::vector<api::Route> oauth_routes(Auth& auth);

}  // namespace guildhall
