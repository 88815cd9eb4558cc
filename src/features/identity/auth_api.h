#pragma once

#include <vector>

#include "api/api.h"
#include "api/route.h"
#include "features/identity/auth.h"

namespace guildhall {

std::vector<api::Route> auth_routes(Auth& auth);

// Turns a request's cookie into its caller.
api::Authenticate authenticator(Sessions& sessions);

}  // namespace guildhall
