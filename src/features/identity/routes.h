#pragma once

#include <vector>

#include "api/api.h"
#include "api/route.h"
#include "features/identity/auth.h"
#include "outbox/events.h"

namespace guildhall {

std::vector<api::Route> auth_routes(Auth& auth);

// Sign-in through the chat platform, and a tenant's configuration of it.
std::vector<api::Route> oauth_routes(Auth& auth);

// A user's own sessions.
std::vector<api::Route> session_routes(Auth& auth);

// Users and their grants.
std::vector<api::Route> user_routes(Auth& auth);

std::vector<api::Route> tenant_routes(Auth& auth);

std::vector<api::Route> api_token_routes(Auth& auth);

// Roles of the tenant, and the list of permission keys.
std::vector<api::Route> role_routes(Auth& auth);

std::vector<api::Route> invitation_routes(Auth& auth);

// One's own password, and links that reset the password of a user.
std::vector<api::Route> password_routes(Auth& auth);

std::vector<api::Route> second_factor_routes(Auth& auth);

// Finds the caller of a request by its API token, or else by its session cookie.
api::Authenticate authenticator(Auth& auth);

}  // namespace guildhall
