#pragma once

#include <string>
#include <string_view>

#include "base/ids.h"
#include "storage/database.h"

// Work that leaves the database: written in the transaction of its cause, carried out later, at least once, with a
// stable id.
namespace guildhall::outbox {

struct Message {
  TenantId tenant;
  std::string topic;    // who carries it out: "webhook.deliver", "chat.role", "billing.customer" …; without a colon
  std::string payload;  // JSON, as the topic defines it
  Instant due;          // not before
  std::string receiver{};  // where a topic has several that may each be slow or broken, which of them it is for
};

// Returns the message's id, which every delivery carries.
std::string append(Tx& tx, const Message& message, Instant now);

// Deletes a message whose work its sender has done itself. A handler that runs at the moment does not write its
// verdict. False if the message has been carried out, or is dead.
bool withdraw(Tx& tx, const TenantId& tenant, const std::string& id);

// The text of a statement that appends one message for each receiver that a select finds (its column `id`), none if it
// finds none. Parameters: tenant, id, topic, payload, when it is due; the select's own begin with $6. The messages' ids
// are `<id>.<receiver>`.
std::string append_to_each_sql(std::string_view receivers);

}  // namespace guildhall::outbox
