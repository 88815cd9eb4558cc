#pragma once

#include <vector>

#include "api/route.h"
#include "storage/database.h"

namespace guildhall {

// The chat servers (guilds) that are bound to a tenant.
std::vector<api::Route> guild_routes(Database& db);

}  // namespace guildhall
