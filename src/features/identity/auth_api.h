#pragma once

#include <vector>

#include "features/identity/auth.h"
#include "http/api.h"
#include "http/route.h"

namespace guildhall {

std::vector<http::Route> auth_routes(Auth& auth);

// Turns a request's cookie into its caller.
http::Authenticate authenticator(Sessions& sessions);

}  // namespace guildhall
