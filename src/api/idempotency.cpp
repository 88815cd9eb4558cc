#include "api/idempotency.h"

#include "api/failure_reply.h"
#include "base/crypto.h"
#include "base/encoding.h"
#include "base/field_types.h"
#include "storage/columns.h"

namespace guildhall::api {
namespace {

using StoredHeaders = std::vector<std::vector<std::string>>;

struct Key {
  const Call& call;
  std::string route;
  std::string key;
  std::string body_hash;
};

struct StoredReply {
  std::string body_hash;
  std::int64_t status;
  StoredHeaders headers;
  std::string body;
};
BOOST_DESCRIBE_STRUCT(StoredReply, (), (body_hash, status, headers, body))

Key key_of(const Call& call, std::string given) {
  return {.call = call,
          .route = fmt::format("{} {}", to_string(call.request.method), call.request.path),
          .key = std::move(given),
          .body_hash = base64url(sha256(call.request.body))};
}

// Claims the key by inserting a row or by replacing an expired one. Waits for another transaction that has claimed it.
const Sql claim_sql(R"(
  INSERT INTO idempotency_records (tenant_id, user_id, route, key, body_hash, status, headers, body, created_at)
  VALUES ($1, $2, $3, $4, $5, 0, '[]', '', $6)
  ON CONFLICT (tenant_id, user_id, route, key) DO UPDATE
    SET body_hash = excluded.body_hash, status = 0, headers = '[]', body = '', created_at = excluded.created_at
    WHERE idempotency_records.created_at <= $7
  RETURNING 1)");

bool claim(Tx& tx, const Key& key) {
  const Call& call = key.call;
  return tx.run({&claim_sql, params(call.tenant, call.user(), key.route, key.key, key.body_hash, call.now,
                                    call.now - idempotency_kept)}) == 1;
}

// Claims a key that is most likely new, together with the writes of the body. If the key exists, the transaction runs
// again, without this.
const Sql claim_new_sql(R"(
  INSERT INTO idempotency_records (tenant_id, user_id, route, key, body_hash, status, headers, body, created_at)
  VALUES ($1, $2, $3, $4, $5, 0, '[]', '', $6))");

void claim_later(Tx& tx, const Key& key) {
  const Call& call = key.call;
  tx.later_unread({&claim_new_sql, params(call.tenant, call.user(), key.route, key.key, key.body_hash, call.now)},
                  [](const ConstraintViolation& violation) {
                    if (violation.constraint == "idempotency_records_pkey") throw WriteRace();
                  });
}

const Sql stored_sql("SELECT " + columns<StoredReply>() +
                     " FROM idempotency_records WHERE tenant_id = $1 AND user_id = $2 AND route = $3 AND key = $4");

Select<StoredReply> stored_reply(const Key& key) {
  return {{&stored_sql, params(key.call.tenant, key.call.user(), key.route, key.key)}, read_row<StoredReply>};
}

const Sql kept_sql(stored_sql.text + " AND created_at > $5");

// The same, unless it has expired.
Select<StoredReply> kept_reply(const Key& key) {
  return {{&kept_sql, params(key.call.tenant, key.call.user(), key.route, key.key, key.call.now - idempotency_kept)},
          read_row<StoredReply>};
}

const Sql finish_sql(R"(
  UPDATE idempotency_records SET status = $5, headers = $6, body = $7
  WHERE tenant_id = $1 AND user_id = $2 AND route = $3 AND key = $4)");

void store(Tx& tx, const Key& key, const Reply& reply) {
  StoredHeaders headers;
  for (const auto& [name, value] : reply.headers) headers.push_back({std::string(name), value});
  tx.later({&finish_sql, params(key.call.tenant, key.call.user(), key.route, key.key, std::int64_t{reply.status},
                                headers, reply.body)});
}

// Two rows more than the hours of a day at most.
const Sql stored_bytes_sql(
    "SELECT CAST(COALESCE(SUM(bytes), 0) AS bigint) FROM idempotency_bytes WHERE tenant_id = $1");
const Sql count_bytes_sql(R"(
  INSERT INTO idempotency_bytes (tenant_id, hour, bytes) VALUES ($1, $2, $3)
  ON CONFLICT (tenant_id, hour) DO UPDATE SET bytes = idempotency_bytes.bytes + excluded.bytes)");

// Counts the bytes of a large reply. Returns false if the tenant has no room for them. Replies that are stored at the
// same moment do not see each other, so a tenant may exceed its limit by as many as there are transactions at once.
bool reserve_bytes(Tx& tx, const Call& call, std::int64_t bytes) {
  if (bytes < idempotency_counted_bytes_min) return true;
  const auto stored = tx.one(
      Select<std::int64_t>{{&stored_bytes_sql, params(call.tenant)}, [](const Row& row) { return row.integer(0); }});
  if (*stored + bytes > idempotency_tenant_bytes_max) return false;
  constexpr std::int64_t hour_ms = 3'600'000;
  tx.later({&count_bytes_sql, params(call.tenant, call.now.ms / hour_ms * hour_ms, bytes)});
  return true;
}

void finish(Tx& tx, const Key& key, const Reply& reply) {
  if (reserve_bytes(tx, key.call, std::ssize(reply.body))) {
    store(tx, key, reply);
  } else {
    store(tx, key,
          error_reply(409, "IDEMPOTENT_REPLY_NOT_KEPT",
                      "This request was carried out before. Its reply was not kept, because the tenant has too many "
                      "large ones."));
  }
}

Reply replayed(const Key& key, const StoredReply& stored) {
  if (stored.body_hash != key.body_hash) {
    throw conflict("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used with another body.");
  }
  Reply reply{.status = static_cast<int>(stored.status), .body = stored.body};
  for (const auto& header : stored.headers) {
    if (header[0] == "ETag") reply.with("ETag", header[1]);
  }
  return std::move(reply).with("Idempotent-Replayed", "true");
}

// A failure of the body counts only if the key is new.
Reply run_with_new_key(Tx& tx, const Key& key, const std::function<Reply(Tx&)>& body) {
  claim_later(tx, key);
  try {
    Reply reply = body(tx);
    finish(tx, key, reply);
    return reply;
  } catch (const Failure&) {
    const auto stored = tx.one(stored_reply(key));
    if (stored && stored->status != 0) throw WriteRace();  // 0: the claim of this transaction
    throw;
  }
}

Reply run_with_key(Tx& tx, const Key& key, const std::function<Reply(Tx&)>& body) {
  if (!claim(tx, key)) {
    const auto stored = tx.one(stored_reply(key));
    if (!stored || stored->status == 0) throw WriteRace();  // the claim was rolled back, or it has expired
    return replayed(key, *stored);
  }
  Reply reply = body(tx);
  finish(tx, key, reply);
  return reply;
}

const Sql forget_sql(R"(
  DELETE FROM idempotency_records WHERE (tenant_id, user_id, route, key) IN
    (SELECT tenant_id, user_id, route, key FROM idempotency_records WHERE created_at <= $1 LIMIT $2))");
const Sql forget_bytes_sql(R"(
  DELETE FROM idempotency_bytes WHERE (tenant_id, hour) IN
    (SELECT tenant_id, hour FROM idempotency_bytes WHERE hour <= $1 LIMIT $2))");

}  // namespace

std::optional<std::string> idempotency_key(const Call& call) {
  if (!call.request.has_header("idempotency-key")) return std::nullopt;
  const std::string_view key = call.request.header("idempotency-key");
  if (key.empty() || key.size() > 255 || !is_visible_ascii(key)) {
    throw invalid_field("Idempotency-Key", "must be 1 to 255 visible ASCII characters");
  }
  return std::string(key);
}

Task<std::optional<Reply>> earlier_reply(const Call& call, Database& db) {
  std::optional<std::string> given = idempotency_key(call);
  if (!given) co_return std::nullopt;
  const Key key = key_of(call, std::move(*given));
  const auto stored = co_await db.one(kept_reply(key));
  if (!stored || stored->status == 0) co_return std::nullopt;
  co_return replayed(key, *stored);
}

Task<Reply> write_once(const Call& call, Database& db, std::function<Reply(Tx&)> body, Database::Reads reads) {
  std::optional<std::string> given = idempotency_key(call);
  if (!given) co_return co_await db.write(body, reads);
  const Key key = key_of(call, std::move(*given));
  bool first_run = true;
  const auto write = [&](Tx& tx) {
    // SQLite has no round trips to save.
    const bool claims_later = std::exchange(first_run, false) && !tx.has_single_writer();
    return claims_later ? run_with_new_key(tx, key, body) : run_with_key(tx, key, body);
  };
  co_return co_await db.write(write, reads);
}

std::int64_t forget_old_keys(Tx& tx, Instant now, std::int64_t rows_max) {
  tx.run({&forget_bytes_sql, params(now - idempotency_kept - std::chrono::hours(1), rows_max)});
  return tx.run({&forget_sql, params(now - idempotency_kept, rows_max)});
}

bool is_replayed(const Reply& reply) {
  return std::any_of(reply.headers.begin(), reply.headers.end(),
                     [](const auto& header) { return header.first == "Idempotent-Replayed"; });
}

}  // namespace guildhall::api
