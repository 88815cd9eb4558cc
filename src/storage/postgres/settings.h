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

// Connects and blocks until that has succeeded or failed; the caller checks PQstatus.
PgHandle connect_and_wait(const std::string& url);

// Begins to connect, to be continued with PQconnectPoll. Host names in the URL are resolved before this returns.
PgHandle start_connecting(const std::string& url);

// libpq's message about the last failure of the connection.
std::string error_message(PGconn* connection);

constexpr int connect_seconds_max = 5;

// Run once on a new connection. Times are UTC, commits wait for the disk whatever the server's default is, and
// statements, waits for locks and idle transactions have a time limit.
//
// Every statement is planned once, for any values: otherwise the server estimates a high cost for a page of a large
// shop
// (`LIMIT $2`), plans it again each time, and that takes longer than reading it. So the text of a statement alone must
// lead to a good plan: filters that decide which index is used have statements of their own, and the condition of a
// partial index is written out. A statement looks up no record twice, so that remembering them would only cost time.
extern const Sql session_settings;

// The same for connections that only read.
extern const std::string reading_session_settings;

}  // namespace guildhall
