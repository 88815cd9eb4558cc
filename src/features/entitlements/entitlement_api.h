#pragma once

#include <vector>

#include "http/route.h"
#include "outbox/events.h"
#include "storage/database.h"

namespace guildhall {

std::vector<http::Route> entitlement_routes(Database& db, const Events& events);

}  // namespace guildhall
