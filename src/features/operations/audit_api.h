#pragma once

#include <vector>

#include "http/route.h"
#include "storage/database.h"

namespace guildhall {

// The audit trail, for a tenant's admins.
std::vector<http::Route> audit_routes(Database& db);

}  // namespace guildhall
