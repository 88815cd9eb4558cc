#pragma once

#include <vector>

#include "features/identity/auth.h"
#include "http/route.h"

namespace guildhall {

// Sign-in through the chat platform, and how a tenant configures it.
std::vector<http::Route> oauth_routes(Auth& auth);

}  // namespace guildhall
