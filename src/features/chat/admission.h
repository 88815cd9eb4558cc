#pragma once

#include "features/chat/bot.h"
#include "features/webhooks/webhook_event.h"

// Admission of an interaction, in one transaction: finds the shop, registers the member as its user and customer, and
// stores the interaction as a webhook event, so that it is carried out only once.
namespace guildhall::chat {

struct Admission {
  enum class Kind {
    admitted,
    answered,  // the message is the whole answer
    no_shop,   // neither the guild nor the member belongs to a shop
    repeated,  // the interaction was received before
  };
  Kind kind;
  CommandContext context{};
  std::optional<WebhookEventId> event{};  // the stored interaction; nothing if the interaction has no id
  std::optional<Message> message{};
};

Admission admit(Tx& tx, const Bot& bot, const Interaction& interaction, std::string_view body, const Actor& actor,
                Instant now);

// The message to a member who is neither admitted nor answered.
Message refusal(Admission::Kind kind);

}  // namespace guildhall::chat
