#pragma once

#include <vector>

#include "api/route.h"
#include "features/changes/change_stream.h"

namespace guildhall {

// The tenant's changes as Server-Sent Events.
std::vector<api::Route> change_routes(LiveChanges& changes);

}  // namespace guildhall
