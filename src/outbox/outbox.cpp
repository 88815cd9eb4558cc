#include "outbox/outbox.h"

#include "storage/columns.h"

namespace guildhall::outbox {
namespace {

const Sql append_sql(R"(
  INSERT INTO outbox_messages (tenant_id, id, topic, lane, payload, status, attempts, due_at, created_at)
  VALUES ($1, $2, $3, $4, $5, 'PENDING', 0, $6, $7))");

const Sql withdraw_sql("DELETE FROM outbox_messages WHERE tenant_id = $1 AND id = $2 AND status = 'PENDING'");

std::string lane_of(const Message& message) {
  return message.receiver.empty() ? message.topic : message.topic + ":" + message.receiver;
}

}  // namespace

std::string append(Tx& tx, const Message& message, Instant now) {
  std::string id = make_uuid(now);
  tx.later(
      {&append_sql, params(message.tenant, id, message.topic, lane_of(message), message.payload, message.due, now)});
  return id;
}

bool withdraw(Tx& tx, const TenantId& tenant, const std::string& id) {
  return tx.run({&withdraw_sql, params(tenant, id)}) == 1;
}

std::string append_to_each_sql(std::string_view receivers) {
  return fmt::format(R"(
  INSERT INTO outbox_messages (tenant_id, id, topic, lane, payload, status, attempts, due_at, created_at)
  SELECT CAST($1 AS text), CAST($2 AS text) || '.' || receiver.id, CAST($3 AS text),
    CAST($3 AS text) || ':' || receiver.id, CAST($4 AS text), 'PENDING', 0, CAST($5 AS bigint), CAST($5 AS bigint)
  FROM ({}) AS receiver)",
                     receivers);
}

}  // namespace guildhall::outbox
