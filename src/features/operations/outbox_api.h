#pragma once

#include <vector>

#include "api/route.h"
#include "storage/database.h"

namespace guildhall {

// What the outbox holds for a tenant, and the way back for its dead messages.
std::vector<api::Route> outbox_routes(Database& db);

}  // namespace guildhall
