#pragma once

#include "http/reply.h"
#include "http/request.h"

namespace guildhall::api {

// The reply for an address that does not exist. A browser gets a page without any script, a program gets JSON.
// Addresses below /api and /auth always get JSON.
http::Reply unknown_address_reply(const http::Request& request);

}  // namespace guildhall::api
