#pragma once

#include <optional>
#include <string>

#include "base/declared.h"
#include "storage/database.h"

// The messages of the outbox as admins see them. The payload is left out because it may hold secrets that are meant for
// the receiver only.
namespace guildhall::outbox {

enum class MessageStatus { PENDING, DONE, DEAD };
BOOST_DESCRIBE_ENUM(MessageStatus, PENDING, DONE, DEAD)

struct StoredMessage {
  OutboxMessageId id;
  TenantId tenant_id;
  std::string topic;
  MessageStatus status = MessageStatus::PENDING;
  std::int64_t attempts = 0;
  std::optional<std::string> last_error;
  Instant due_at;
  Instant created_at;
  std::optional<Instant> finished_at;
};
BOOST_DESCRIBE_STRUCT(StoredMessage, (),
                      (id, tenant_id, topic, status, attempts, last_error, due_at, created_at, finished_at))

Select<StoredMessage> message_by_id(const TenantId& tenant, const OutboxMessageId& id);

// Messages with an id below the given one, newest first (ids rise with time), of one status or of any.
Select<StoredMessage> messages_below(const TenantId& tenant, std::optional<MessageStatus> status, const std::string& id,
                                     std::int64_t limit);

// Makes a dead or pending message due now and resets its number of attempts. Returns false if it is done or unknown.
bool queue_again(Tx& tx, const TenantId& tenant, const OutboxMessageId& id, Instant now);

}  // namespace guildhall::outbox
