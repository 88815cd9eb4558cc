#pragma once

#include <vector>

#include "api/route.h"
#include "outbox/events.h"
#include "storage/database.h"

namespace guildhall {

std::vector<api::Route> membership_routes(Database& db, const Events& events);
std::vector<api::Route> membership_code_routes(Database& db, const Events& events);

}  // namespace guildhall
