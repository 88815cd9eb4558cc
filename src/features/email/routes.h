#pragma once

#include <vector>

#include "api/route.h"
#include "base/worker_pools.h"
#include "features/email/email_config.h"
#include "storage/database.h"

namespace guildhall {

// A test of the mail server.
std::vector<api::Route> email_routes(Database& db, const EmailConfig& config, OutboundWorkers& outbound);

}  // namespace guildhall
