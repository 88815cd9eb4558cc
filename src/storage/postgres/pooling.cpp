#include "storage/postgres/pooling.h"

#include "storage/postgres/result.h"
#include "storage/postgres/settings.h"
#include "storage/storage.h"

namespace guildhall {
namespace {

constexpr int attempts = 5;  // other clients of the pooler may take the session in between

PgHandle connected(const std::string& url) {
  PgHandle connection = connect_and_wait(url);
  if (PQstatus(connection.get()) != CONNECTION_OK) {
    throw DatabaseUnreachable(fmt::format("PostgreSQL cannot be reached: {}.", error_message(connection.get())));
  }
  return connection;
}

// The process of the server that runs the connection's statements.
std::string server_process(PGconn* connection) {
  const PgResult result(PQexec(connection, "SELECT pg_backend_pid()"));
  return PQntuples(result.get()) == 1 ? PQgetvalue(result.get(), 0, 0) : "";
}

}  // namespace

void refuse_transaction_pooling(const std::string& url, std::string_view variable) {
  const PgHandle first = connected(url);
  // A pooler answers with an id of its own when a client connects.
  if (server_process(first.get()) == std::to_string(PQbackendPID(first.get()))) return;
  const PgHandle second = connected(url);
  for (int i = 0; i < attempts; ++i) {
    const std::string process = server_process(first.get());
    if (process.empty() || process != server_process(second.get())) continue;
    throw std::runtime_error(fmt::format(
        "{} leads to a pooler that shares the sessions of PostgreSQL between its clients, like PgBouncer with "
        "pool_mode = transaction. Use pool_mode = session, or connect to PostgreSQL directly.",
        variable));
  }
}

}  // namespace guildhall
