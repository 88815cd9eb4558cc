#pragma once

#include <vector>

#include "features/identity/auth.h"
#include "http/route.h"
#include "outbox/events.h"

namespace guildhall {

std::vector<http::Route> tenant_routes(Auth& auth, const Events& events);

}  // namespace guildhall
