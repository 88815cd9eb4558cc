#pragma once

#include <vector>

#include "api/route.h"
#include "features/messages/messages.h"
#include "storage/database.h"

namespace guildhall {

std::vector<api::Route> message_routes(Database& db, const Messages& messages);

// The pages behind the links in messages.
std::vector<api::Route> unsubscribe_routes(Database& db, const Messages& messages);

}  // namespace guildhall
