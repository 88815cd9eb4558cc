#include "outbox/message_store.h"

#include "base/text.h"
#include "storage/columns.h"

namespace guildhall::outbox {
namespace {

constexpr std::int64_t counted_max = 100'000;

// From lane to lane through the index, whatever the number of messages in one. A tenant's lanes end with a null, which
// leads to the next tenant; that begins with an empty lane, which is below all others. Compared column by column: for a
// row value, `(tenant_id, lane) > …`, SQLite begins at the first message that is equal and reads the whole lane.
const Sql due_lanes_sql(R"(
  WITH RECURSIVE lanes(tenant_id, lane) AS (
    SELECT CAST($1 AS text), CAST($2 AS text)
    UNION ALL
    SELECT CASE WHEN lanes.lane IS NOT NULL THEN lanes.tenant_id ELSE (
             SELECT m.tenant_id FROM outbox_messages m
             WHERE m.status = 'PENDING' AND m.tenant_id > lanes.tenant_id ORDER BY m.tenant_id LIMIT 1) END,
           CASE WHEN lanes.lane IS NULL THEN '' ELSE (
             SELECT m.lane FROM outbox_messages m
             WHERE m.status = 'PENDING' AND m.tenant_id = lanes.tenant_id AND m.lane > lanes.lane
             ORDER BY m.lane LIMIT 1) END
    FROM lanes WHERE lanes.tenant_id IS NOT NULL)
  SELECT tenant_id, lane FROM lanes
  WHERE NOT (tenant_id = $1 AND lane = $2) AND EXISTS (
    SELECT 1 FROM outbox_messages m WHERE m.status = 'PENDING' AND m.tenant_id = lanes.tenant_id
    AND m.lane = lanes.lane AND m.due_at <= $3)
  LIMIT $4)");

// A claim moves the due time to its own end, so that claimed messages are simply not due.
std::string claim_text(std::string_view suffix) {
  return fmt::format(R"(
    WITH due AS (
      SELECT tenant_id, id FROM outbox_messages
      WHERE status = 'PENDING' AND tenant_id = $1 AND lane = $2 AND due_at <= $3
      ORDER BY due_at, id LIMIT $4{})
    UPDATE outbox_messages SET claimed_until = $5, due_at = $5, attempts = attempts + 1
    WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM due)
    RETURNING id, topic, payload, attempts, created_at, coalesce(traceparent, ''))",
                     suffix);
}
const Sql claim_sql(claim_text(""));
const Sql claim_skipping_sql(claim_text(" FOR UPDATE SKIP LOCKED"));

// The time of creation comes first, so that a message that replaces another can take its place.
std::string claim_oldest_text(std::string_view suffix) {
  return fmt::format(R"(
    WITH oldest AS (
      SELECT tenant_id, id FROM outbox_messages
      WHERE status = 'PENDING' AND tenant_id = $1 AND lane = $2
      ORDER BY created_at, id LIMIT 1{})
    UPDATE outbox_messages SET claimed_until = $4, due_at = $4, attempts = attempts + 1
    WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM oldest) AND due_at <= $3
    RETURNING id, topic, payload, attempts, created_at, coalesce(traceparent, ''))",
                     suffix);
}
const Sql claim_oldest_sql(claim_oldest_text(""));
const Sql claim_oldest_locked_sql(claim_oldest_text(" FOR UPDATE"));

const Sql oldest_due_sql(R"(
  SELECT due_at FROM outbox_messages
  WHERE status = 'PENDING' AND tenant_id = $1 AND lane = $2
  ORDER BY created_at, id LIMIT 1)");

const Sql done_sql(R"(
  UPDATE outbox_messages SET status = 'DONE', claimed_until = NULL, last_error = NULL, finished_at = $3
  WHERE tenant_id = $1 AND id = $2 AND COALESCE(status, '') = 'PENDING')");

const Sql retry_sql(R"(
  UPDATE outbox_messages SET claimed_until = NULL, last_error = $4, due_at = $5
  WHERE tenant_id = $1 AND id = $2 AND COALESCE(status, '') = 'PENDING' AND claimed_until = $3)");

const Sql dead_sql(R"(
  UPDATE outbox_messages SET status = 'DEAD', claimed_until = NULL, last_error = $4, finished_at = $5
  WHERE tenant_id = $1 AND id = $2 AND COALESCE(status, '') = 'PENDING' AND claimed_until = $3)");

const Sql release_sql(R"(
  UPDATE outbox_messages SET claimed_until = NULL, due_at = $4, attempts = attempts - 1
  WHERE tenant_id = $1 AND id = $2 AND COALESCE(status, '') = 'PENDING' AND claimed_until = $3)");

const Sql release_all_sql(R"(
  UPDATE outbox_messages SET claimed_until = NULL, due_at = $1
  WHERE status = 'PENDING' AND claimed_until IS NOT NULL)");

const Sql depth_sql(R"(
  SELECT topic, count(*), min(due_at) FROM (
    SELECT topic, due_at FROM outbox_messages WHERE status = 'PENDING' LIMIT $1) AS pending GROUP BY topic)");

const Sql forget_sql(R"(
  DELETE FROM outbox_messages WHERE (tenant_id, id) IN
    (SELECT tenant_id, id FROM outbox_messages WHERE finished_at IS NOT NULL AND finished_at < $3
     AND (finished_at < $1 AND status = 'DONE' OR finished_at < $2) LIMIT $4))");

Delivery read_delivery(const Lane& lane, const Row& row) {
  return {.tenant = TenantId(lane.tenant),
          .id = std::string(row.text(0)),
          .topic = std::string(row.text(1)),
          .payload = std::string(row.text(2)),
          .receiver = std::string(lane.receiver()),
          .attempts = row.integer(3),
          .created_at = {row.integer(4)},
          .traceparent = std::string(row.text(5))};
}

}  // namespace

std::vector<Lane> due_lanes(Tx& tx, const Lane& after, Instant now, std::int64_t limit) {
  std::vector<Lane> lanes;
  tx.run({&due_lanes_sql, params(after.tenant, after.name, now, limit)}, [&](const Row& row) {
    lanes.push_back({std::string(row.text(0)), std::string(row.text(1))});
  });
  return lanes;
}

std::vector<Claim> claim(Tx& tx, Locking locking, const Lane& lane, Instant now, Instant until, std::int64_t limit) {
  std::vector<Claim> claims;
  const auto add = [&](const Row& row) {
    claims.push_back({.delivery = read_delivery(lane, row), .lane = lane, .until = until});
  };
  if (locking == Locking::one_writer_oldest || locking == Locking::wait_for_oldest) {
    const Sql& sql = locking == Locking::wait_for_oldest ? claim_oldest_locked_sql : claim_oldest_sql;
    tx.run({&sql, params(lane.tenant, lane.name, now, until)}, add);
  } else {
    const Sql& sql = locking == Locking::skip_locked ? claim_skipping_sql : claim_sql;
    tx.run({&sql, params(lane.tenant, lane.name, now, limit, until)}, add);
  }
  return claims;
}

std::optional<Instant> oldest_due(Tx& tx, const Lane& lane) {
  std::optional<Instant> due;
  tx.run({&oldest_due_sql, params(lane.tenant, lane.name)}, [&](const Row& row) { due = Instant{row.integer(0)}; });
  return due;
}

bool mark_done(Tx& tx, const Claim& claim, Instant now) {
  return tx.run({&done_sql, params(claim.delivery.tenant, claim.delivery.id, now)}) == 1;
}

bool mark_retry(Tx& tx, const Claim& claim, std::string_view reason, Instant due) {
  return tx.run({&retry_sql,
                 params(claim.delivery.tenant, claim.delivery.id, claim.until, storable_text(reason), due)}) == 1;
}

bool mark_dead(Tx& tx, const Claim& claim, std::string_view reason, Instant now) {
  return tx.run({&dead_sql,
                 params(claim.delivery.tenant, claim.delivery.id, claim.until, storable_text(reason), now)}) == 1;
}

void release(Tx& tx, const Claim& claim, Instant now) {
  tx.run({&release_sql, params(claim.delivery.tenant, claim.delivery.id, claim.until, now)});
}

void release_all(Tx& tx, Instant now) {
  tx.run({&release_all_sql, params(now)});
}

std::map<std::string, Depth, std::less<>> depth_by_topic(Tx& tx) {
  std::map<std::string, Depth, std::less<>> found;
  tx.run({&depth_sql, params(counted_max)}, [&](const Row& row) {
    found[std::string(row.text(0))] = {.pending = row.integer(1), .oldest_due = {row.integer(2)}};
  });
  return found;
}

std::int64_t forget_messages(Tx& tx, Instant done_before, Instant dead_before, std::int64_t rows_max) {
  return tx.run({&forget_sql, params(done_before, dead_before, std::max(done_before, dead_before), rows_max)});
}

}  // namespace guildhall::outbox
