#pragma once

#include <vector>

#include "features/webhooks/webhook_intake.h"
#include "http/route.h"
#include "storage/database.h"

namespace guildhall {

std::vector<http::Route> webhook_event_routes(Database& db, const WebhookIntake& intake);

}  // namespace guildhall
