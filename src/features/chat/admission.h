#pragma once

#include "features/chat/bot.h"
#include "features/webhooks/webhook_event.h"

// Admission of an interaction, in one transaction: finds the shop, registers the member as its user and customer, and
// stores the interaction as a webhook event, so that it is carried out only once.
namespace guildhall::chat {

struct Admission {
  enum class Kind {
    admitted,
    no_shop,        // neither the guild nor the member belongs to a shop
    needs_manager,  // only a member who may manage the guild can open a shop
    cannot_open,    // the configuration does not allow shops to be opened from the chat
    repeated,       // the interaction was received before
  };
  Kind kind;
  CommandContext context{};
  std::optional<WebhookEventId> event{};  // the stored interaction; nothing if the interaction has no id
};

Admission admit(Tx& tx, const Bot& bot, const Interaction& interaction, std::string_view body, const Actor& actor,
                Instant now);

// The message to a member who is not admitted.
Message refusal(Admission::Kind kind);

}  // namespace guildhall::chat
