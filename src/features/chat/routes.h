#pragma once

#include <vector>

#include "api/route.h"
#include "features/chat/bot.h"

namespace guildhall {

// The address to which the chat platform sends interactions.
std::vector<api::Route> chat_routes(const chat::Bot& bot);

// The state of the connection to the chat platform, and a way to try out the bot.
std::vector<api::Route> chat_setup_routes(const chat::Bot& bot);

// Codes that bind chat servers to the tenant.
std::vector<api::Route> binding_code_routes(const chat::Bot& bot);

// The roles of the tenant's chat server.
std::vector<api::Route> guild_role_routes(const chat::Bot& bot);

}  // namespace guildhall
