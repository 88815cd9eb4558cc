#pragma once

#include <vector>

#include "api/route.h"
#include "features/media/media.h"
#include "outbox/events.h"
#include "storage/database.h"

namespace guildhall {

std::vector<api::Route> media_routes(Database& db, const Media& media);
std::vector<api::Route> branding_routes(Database& db, const Events& events, const Media& media);

}  // namespace guildhall
