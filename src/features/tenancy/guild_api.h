#pragma once

#include <vector>

#include "api/route.h"
#include "storage/database.h"

namespace guildhall {

// Which chat servers are the shop's.
std::vector<api::Route> guild_routes(Database& db);

}  // namespace guildhall
