#pragma once

#include <vector>

#include "api/route.h"
#include "outbox/events.h"
#include "storage/database.h"

namespace guildhall {

std::vector<api::Route> customer_routes(Database& db, const Events& events);

}  // namespace guildhall
