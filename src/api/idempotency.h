#pragma once

#include <functional>

#include "api/call.h"
#include "storage/database.h"

namespace guildhall::api {

// Runs a writing handler's transaction, at most once for an Idempotency-Key. The key's record commits with
// the effect: a repeated request gets the first 2xx reply again (`Idempotent-Replayed: true`), the same key
// with another body is a 409. A body that throws leaves no record, so the request may be tried again. Without
// a key it is a plain transaction. `body` may run more than once (see Tx).
Task<Reply> write_once(const Call& call, Database& db, std::function<Reply(Tx&)> body);

// Whether the reply is the repetition of an earlier one.
bool is_replayed(const Reply& reply);

// How long a key is remembered; older records are forgotten by the retention job and never replayed.
constexpr std::chrono::hours idempotency_kept{24};

// Deletes up to `rows_max` forgotten records; returns how many.
std::int64_t forget_old_keys(Tx& tx, Instant now, std::int64_t rows_max);

}  // namespace guildhall::api
