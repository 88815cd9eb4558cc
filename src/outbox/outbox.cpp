#include "outbox/outbox.h"

#include "storage/columns.h"

namespace guildhall::outbox {
namespace {

const Sql append_sql(R"(
  INSERT INTO outbox_messages (tenant_id, id, topic, lane, payload, status, attempts, due_at, created_at)
  VALUES ($1, $2, $3, $4, $5, 'PENDING', 0, $6, $7))");

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

}  // namespace guildhall::outbox
