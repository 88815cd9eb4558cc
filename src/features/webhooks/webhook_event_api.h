#pragma once

#include <vector>

#include "api/route.h"
#include "features/webhooks/webhook_intake.h"
#include "storage/database.h"

namespace guildhall {

std::vector<api::Route> webhook_event_routes(Database& db, const WebhookIntake& intake);

}  // namespace guildhall
