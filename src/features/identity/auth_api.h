#pragma once

#include <vector>

#include "features/identity/local_sign_in.h"
#include "features/identity/sessions.h"
#include "http/api.h"
#include "http/route.h"

namespace guildhall {

// What the routes under /auth need; one per loop, and it outlives the routes.
struct Auth {
  Database& db;
  Sessions sessions;
  LocalSignIn local;
  bool local_enabled;
};

std::vector<http::Route> auth_routes(Auth& auth);

// Turns a request's cookie into its caller.
http::Authenticate authenticator(Sessions& sessions);

}  // namespace guildhall
