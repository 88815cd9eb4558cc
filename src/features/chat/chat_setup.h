#pragma once

#include <optional>
#include <string>

#include "features/chat/bot.h"

namespace guildhall::chat {

// The platform's page that adds the bot to a chat server; nothing without an application. With a binding code the page
// leads back here, and the server is connected to the shop of the code.
std::optional<std::string> add_server_url(const Bot& bot, const std::string& binding_code = "",
                                          const std::string& verifier = "");

}  // namespace guildhall::chat
