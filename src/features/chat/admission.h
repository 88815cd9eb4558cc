#pragma once

#include "features/chat/bot.h"
#include "features/webhooks/webhook_event.h"

// Who is let in: finds the shop, registers the member as its user and customer, and keeps the interaction, so that each
// is carried out once. All in one transaction.
namespace guildhall::chat {

struct Admission {
  enum class Kind {
    admitted,
    no_shop,        // neither the guild nor the member belongs to one
    needs_manager,  // of the guild, to open one
    cannot_open,    // shops are not made by strangers here
    done_before,    // the interaction is a repetition
  };
  Kind kind;
  CommandContext context{};
  std::optional<WebhookEventId> event{};  // under which it is kept; none for an interaction without an id
};

Admission admit(Tx& tx, const Bot& bot, const Interaction& interaction, std::string_view body, const Actor& actor,
                Instant now);

// What those hear who are not.
Message refusal(Admission::Kind kind);

}  // namespace guildhall::chat
