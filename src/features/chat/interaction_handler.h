#pragma once

#include "api/call.h"
#include "features/chat/bot.h"

namespace guildhall::chat {

// Admits the interaction's member, runs its command or step once, and records the outcome with the interaction's event.
// `call` is the request that brought the interaction; its signature has been verified. Throws Failure invalid when the
// command is unknown or could not be carried out.
Task<Answer> handle_interaction(const Bot& bot, const api::Call& call, const Interaction& interaction);

}  // namespace guildhall::chat
