#pragma once

#include <vector>

#include "http/route.h"
#include "storage/database.h"

namespace guildhall {

// Which chat servers are the shop's.
std::vector<http::Route> guild_routes(Database& db);

}  // namespace guildhall
