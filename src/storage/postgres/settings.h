#pragma once

#include <libpq-fe.h>
#include <memory>
#include <string>

#include "storage/database.h"

namespace guildhall {

struct CloseConnection {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
using PgHandle = std::unique_ptr<PGconn, CloseConnection>;

// Connects and waits for it; the caller looks at PQstatus.
PgHandle connect_and_wait(const std::string& url);

// Begins to connect, for PQconnectPoll. Names in the URL are looked up before this returns.
PgHandle start_connecting(const std::string& url);

// What libpq says about the connection's last failure.
std::string error_message(PGconn* connection);

constexpr int connect_seconds_max = 5;

// Run once on a new connection. Times are UTC, commits wait for the disk whatever the server's default, and
// nothing waits for ever: not a statement, not a lock, not a transaction whose client hangs.
//
// plan_cache_mode stays at `auto`: keyed lookups settle on a generic plan after five runs anyway.
extern const Sql session_settings;

// The same for connections that only read. There every statement is planned once, for any values: with `auto`, a page
// of a large shop (`LIMIT $2`) looks dear for any length, is planned anew each time, and that takes three times as long
// as reading it. So a read's text must lead to a good plan by itself: filters that decide which index serves are
// texts of their own, and a partial index's condition is written out.
extern const char* const reading_session_settings;

}  // namespace guildhall
