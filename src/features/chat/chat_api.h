#pragma once

#include <vector>

#include "features/chat/bot.h"
#include "http/route.h"

namespace guildhall {

// Where the chat platform sends what members do.
std::vector<http::Route> chat_routes(const chat::Bot& bot);

}  // namespace guildhall
