#pragma once

#include <functional>

#include "api/call.h"
#include "storage/database.h"

namespace guildhall::api {

// The request's Idempotency-Key; nothing if it has none. Throws a 400 for a malformed one. A handler that does
// something before its transaction calls it first.
std::optional<std::string> idempotency_key(const Call& call);

// Runs the transaction of a writing handler, at most once for an Idempotency-Key. The key's record commits with the
// transaction. A repeated request gets the first 2xx reply again (`Idempotent-Replayed: true`); the same key with
// another body is a 409. If `body` throws, no record is stored, so the request may be repeated. Without a key it is a
// plain transaction. `body` may run more than once (see Tx).
Task<Reply> write_once(const Call& call, Database& db, std::function<Reply(Tx&)> body,
                       Database::Reads reads = Database::no_reads);

// The stored reply of a request that was carried out before; nothing if there is none. For a handler that writes in
// several transactions, of which the last is write_once(): it calls this first.
Task<std::optional<Reply>> earlier_reply(const Call& call, Database& db);

// True if the reply is a stored one that is sent again.
bool is_replayed(const Reply& reply);

// How long a key is valid. Older records are never replayed, and the retention job deletes them.
constexpr std::chrono::hours idempotency_kept{24};

// Replies of at least this size are counted; the number of all others is limited by the tenant's rate limit.
constexpr std::int64_t idempotency_counted_bytes_min = 4 << 10;

// How many bytes of counted replies a tenant may have stored. A reply beyond that is sent, but not stored: a repeated
// request is then answered with 409 IDEMPOTENT_REPLY_NOT_KEPT. It is not carried out again.
constexpr std::int64_t idempotency_tenant_bytes_max = 256 << 20;

// Deletes up to `rows_max` expired records (and as many counts of bytes) and returns the number of records.
std::int64_t forget_old_keys(Tx& tx, Instant now, std::int64_t rows_max);

}  // namespace guildhall::api
