#pragma once

#include <vector>

#include "api/route.h"
#include "features/orders/order_config.h"
#include "storage/database.h"

// The tenant's own settings: GET and PUT /api/admin/settings.
namespace guildhall {

constexpr std::int64_t order_expiry_minutes_max = 525'600;  // a year

std::vector<api::Route> tenant_settings_routes(Database& db, const OrderConfig& config);

}  // namespace guildhall
