#pragma once

#include <vector>

#include "http/route.h"
#include "storage/database.h"

namespace guildhall {

std::vector<http::Route> fund_routes(Database& db);

}  // namespace guildhall
