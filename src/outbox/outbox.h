#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "storage/database.h"

// Messages for other servers. A message is written in the transaction of its cause and delivered after the commit, at
// least once, always with the same id.
namespace guildhall::outbox {

struct Message {
  TenantId tenant;
  std::string topic;       // names the handler: "webhook.deliver", "chat.role", "billing.customer" …; without a colon
  std::string payload;     // JSON in the format of the topic
  Instant due;             // not delivered earlier
  std::string receiver{};  // for topics with several receivers, each of which gets a lane of its own
};

// Returns the id of the message, which every delivery carries.
std::string append(Tx& tx, const Message& message, Instant now);

// Deletes a pending message because its sender has done the work itself. A handler that is running at that moment
// cannot write its verdict any more. Returns false if the message is done, dead or unknown.
bool withdraw(Tx& tx, const TenantId& tenant, const std::string& id);

// The SQL of a statement that appends one message for each receiver that the given select finds (its column `id`).
// Parameters: tenant, id, topic, payload, due time, current_traceparent(); those of the select begin with $7. The id of
// each message is
// `<id>.<receiver>`.
std::string append_to_each_sql(std::string_view receivers);

// The trace of the work that this thread is doing, which is stored with its messages; nothing if it has none.
std::optional<std::string> current_traceparent();

}  // namespace guildhall::outbox
