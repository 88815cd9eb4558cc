#pragma once

#include <vector>

#include "api/route.h"
#include "storage/database.h"

namespace guildhall {

std::vector<api::Route> report_routes(Database& db);

}  // namespace guildhall
