#pragma once

#include <vector>

#include "api/route.h"
#include "storage/database.h"

namespace guildhall {

// The explanation of an order's price, and its timeline.
std::vector<api::Route> order_history_routes(Database& db);

}  // namespace guildhall
