#include "outbox/message.h"

#include "storage/columns.h"

namespace guildhall::outbox {
namespace {

const std::string select_message = "SELECT " + columns<StoredMessage>() + " FROM outbox_messages";
const Sql by_id_sql(select_message + " WHERE tenant_id = $1 AND id = $2");
const Sql below_sql(select_message + " WHERE tenant_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3");
const Sql below_of_status_sql(select_message +
                              " WHERE tenant_id = $1 AND id < $2 AND status = $4 ORDER BY id DESC LIMIT $3");

const Sql queue_again_sql(R"(
  UPDATE outbox_messages
  SET status = 'PENDING', attempts = 0, due_at = $3, claimed_until = NULL, finished_at = NULL
  WHERE tenant_id = $1 AND id = $2 AND status <> 'DONE')");

}  // namespace

Select<StoredMessage> message_by_id(const TenantId& tenant, const OutboxMessageId& id) {
  return {{&by_id_sql, params(tenant, id)}, read_row<StoredMessage>};
}

Select<StoredMessage> messages_below(const TenantId& tenant, std::optional<MessageStatus> status, const std::string& id,
                                     std::int64_t limit) {
  if (!status) return {{&below_sql, params(tenant, id, limit)}, read_row<StoredMessage>};
  return {{&below_of_status_sql, params(tenant, id, limit, *status)}, read_row<StoredMessage>};
}

bool queue_again(Tx& tx, const TenantId& tenant, const OutboxMessageId& id, Instant now) {
  return tx.run({&queue_again_sql, params(tenant, id, now)}) == 1;
}

}  // namespace guildhall::outbox
