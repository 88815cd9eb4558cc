#pragma once

#include <optional>

#include "sandbox/party.h"
#include "sandbox/world.h"

// The mailbox on the sandbox's page and in its control interface.
namespace guildhall::sandbox {

// Appends the list of mails, the newest first, without their texts.
void append_mails(std::string& out, const Mailbox& mailbox);

// Nothing if the request is not about mails. Throws not_found for a mail that is not kept.
std::optional<http::Reply> answer_mailbox(World& world, const PartyRequest& request);

}  // namespace guildhall::sandbox
