#pragma once

#include <vector>

#include "api/route.h"
#include "features/chat/bot.h"

namespace guildhall {

// Where the chat platform sends what members do.
std::vector<api::Route> chat_routes(const chat::Bot& bot);

}  // namespace guildhall
