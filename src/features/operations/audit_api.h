#pragma once

#include <vector>

#include "api/route.h"
#include "storage/database.h"

namespace guildhall {

// The audit trail, for a tenant's admins.
std::vector<api::Route> audit_routes(Database& db);

}  // namespace guildhall
