#pragma once

#include <optional>

#include "features/chat/bot.h"
#include "features/tenancy/tenant.h"
#include "outbox/events.h"

// How a chat server gets its shop: by `/register`, by `/register` with a code of the shop, and by the answer to the
// question which shop it is.
namespace guildhall::chat {

struct Registration {
  std::optional<Tenant> shop{};      // the shop of the server; nothing: it has none
  bool opened = false;               // this interaction has created the shop
  bool connected = false;            // this interaction has connected the server to the shop
  bool is_choice = false;            // the interaction is the answer to the question which shop it is
  std::optional<Message> message{};  // answers the member; the interaction is not carried out
};

// `present` is the shop of the server, if it has one; `owner` is the id of the user who owns a new shop. The context's
// tenant is the home tenant.
Registration register_server(const ActionContext& home, const Bot& bot, const Interaction& interaction,
                             std::optional<Tenant> present, const UserId& owner);

// The step that moves a server from an empty shop to the shop of a binding code. Its argument is the code.
inline constexpr std::string_view move_server_step = "move-server";

}  // namespace guildhall::chat
