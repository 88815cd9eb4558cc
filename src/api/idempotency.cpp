#include "api/idempotency.h"

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

const Sql stored_sql("SELECT " + columns<StoredReply>() +
                     " FROM idempotency_records WHERE tenant_id = $1 AND user_id = $2 AND route = $3 AND key = $4");

Select<StoredReply> stored_reply(const Key& key) {
  return {{&stored_sql, params(key.call.tenant, key.call.user(), key.route, key.key)}, read_row<StoredReply>};
}

const Sql finish_sql(R"(
  UPDATE idempotency_records SET status = $5, headers = $6, body = $7
  WHERE tenant_id = $1 AND user_id = $2 AND route = $3 AND key = $4)");

void finish(Tx& tx, const Key& key, const Reply& reply) {
  StoredHeaders headers;
  for (const auto& [name, value] : reply.headers) headers.push_back({std::string(name), value});
  tx.later({&finish_sql, params(key.call.tenant, key.call.user(), key.route, key.key, std::int64_t{reply.status},
                                headers, reply.body)});
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

}  // namespace

std::optional<std::string> idempotency_key(const Call& call) {
  if (!call.request.has_header("idempotency-key")) return std::nullopt;
  const std::string_view key = call.request.header("idempotency-key");
  if (key.empty() || key.size() > 255 || !is_visible_ascii(key)) {
    throw invalid_field("Idempotency-Key", "must be 1 to 255 visible ASCII characters");
  }
  return std::string(key);
}

Task<Reply> write_once(const Call& call, Database& db, std::function<Reply(Tx&)> body) {
  std::optional<std::string> given = idempotency_key(call);
  if (!given) co_return co_await db.write(body);
  const Key key{.call = call,
                .route = fmt::format("{} {}", to_string(call.request.method), call.request.path),
                .key = std::move(*given),
                .body_hash = base64url(sha256(call.request.body))};
  co_return co_await db.write([&](Tx& tx) { return run_with_key(tx, key, body); });
}

std::int64_t forget_old_keys(Tx& tx, Instant now, std::int64_t rows_max) {
  return tx.run({&forget_sql, params(now - idempotency_kept, rows_max)});
}

bool is_replayed(const Reply& reply) {
  return std::any_of(reply.headers.begin(), reply.headers.end(),
                     [](const auto& header) { return header.first == "Idempotent-Replayed"; });
}

}  // namespace guildhall::api
