#pragma once

#include <vector>

#include "api/route.h"
#include "features/tenancy/tenant_settings.h"
#include "storage/database.h"

namespace guildhall {

// The chat servers (guilds) that are bound to a tenant.
std::vector<api::Route> guild_routes(Database& db);

// The settings that a tenant chooses for itself: GET and PUT /api/admin/settings.
std::vector<api::Route> tenant_settings_routes(Database& db, const SettingsRules& rules);

}  // namespace guildhall
