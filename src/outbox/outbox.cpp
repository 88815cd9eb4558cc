#include "outbox/outbox.h"

#include "base/trace.h"
#include "storage/columns.h"

namespace guildhall::outbox {
namespace {

const Sql append_sql(R"(
  INSERT INTO outbox_messages (tenant_id, id, topic, lane, payload, status, attempts, due_at, created_at, traceparent)
  VALUES ($1, $2, $3, $4, $5, 'PENDING', 0, $6, $7, $8))");

// The condition on the status implies that of no partial index, so that the message is found by its key even without
// statistics. The same goes for the verdicts in message_store.cpp.
const Sql withdraw_sql(
    "DELETE FROM outbox_messages WHERE tenant_id = $1 AND id = $2 AND COALESCE(status, '') = 'PENDING'");

std::string lane_of(const Message& message) {
  return message.receiver.empty() ? message.topic : message.topic + ":" + message.receiver;
}

}  // namespace

std::string append(Tx& tx, const Message& message, Instant now) {
  std::string id = make_uuid(now);
  tx.later({&append_sql, params(message.tenant, id, message.topic, lane_of(message), message.payload, message.due, now,
                                current_traceparent())});
  return id;
}

bool withdraw(Tx& tx, const TenantId& tenant, const std::string& id) {
  return tx.run({&withdraw_sql, params(tenant, id)}) == 1;
}

std::string append_to_each_sql(std::string_view receivers) {
  return fmt::format(R"(
  INSERT INTO outbox_messages (tenant_id, id, topic, lane, payload, status, attempts, due_at, created_at,
    traceparent)
  SELECT CAST($1 AS text), CAST($2 AS text) || '.' || receiver.id, CAST($3 AS text),
    CAST($3 AS text) || ':' || receiver.id, CAST($4 AS text), 'PENDING', 0, CAST($5 AS bigint), CAST($5 AS bigint),
    CAST($6 AS text)
  FROM ({}) AS receiver)",
                     receivers);
}

std::optional<std::string> current_traceparent() {
  if (trace::current == nullptr) return std::nullopt;
  return trace::traceparent(*trace::current);
}

}  // namespace guildhall::outbox
