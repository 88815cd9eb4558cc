#pragma once

#include <vector>

#include "api/route.h"
#include "features/identity/auth.h"
#include "outbox/events.h"

namespace guildhall {

std::vector<api::Route> tenant_routes(Auth& auth, const Events& events);

}  // namespace guildhall
