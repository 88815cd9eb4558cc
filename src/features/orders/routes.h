#pragma once

#include <vector>

#include "api/route.h"
#include "outbox/events.h"
#include "storage/database.h"

namespace guildhall {

std::vector<api::Route> order_routes(Database& db, const Events& events);
std::vector<api::Route> open_order_routes(Database& db);

// The price trace of an order, and its timeline.
std::vector<api::Route> order_history_routes(Database& db);

// The price of an order that is not placed.
std::vector<api::Route> order_quote_routes(Database& db);

}  // namespace guildhall
