#pragma once

#include <vector>

#include "api/route.h"
#include "storage/database.h"

namespace guildhall {

// How an order's price came about, and what has happened to it.
std::vector<api::Route> order_history_routes(Database& db);

}  // namespace guildhall
