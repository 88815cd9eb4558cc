#include "storage/postgres/connection.h"

#include <poll.h>

#include "storage/postgres/errors.h"

namespace guildhall {
namespace {

bool succeeded(const PGresult* result) {
  ExecStatusType status = PQresultStatus(result);
  return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
}

}  // namespace

PgConnection::PgConnection(const std::string& url) : connection_(connect_and_wait(url)) {
  if (PQstatus(connection_.get()) != CONNECTION_OK) {
    throw std::runtime_error(fmt::format("PostgreSQL cannot be reached: {}.", error_message(connection_.get())));
  }
  PgResult result(PQexec(connection_.get(), session_settings));
  if (!succeeded(result.get()) || PQenterPipelineMode(connection_.get()) != 1) {
    throw std::runtime_error(
        fmt::format("PostgreSQL refused the session's settings: {}.", error_message(connection_.get())));
  }
}

void PgConnection::send(const Query& query) {
  PgStatements::Sent sent = statements_.send(connection_.get(), query);
  require(sent != PgStatements::Sent::failed);
  if (sent == PgStatements::Sent::prepare_and_statement) sent_.push_back({Expected::preparation, query.sql});
  sent_.push_back({Expected::statement, query.sql});
}

void PgConnection::send_sync() {
  require(PQpipelineSync(connection_.get()) == 1);
  sent_.push_back({Expected::sync, nullptr});
}

PgResult PgConnection::collect() {
  std::vector<Sent> sent = std::exchange(sent_, {});
  bool synced = !sent.empty() && sent.back().expected == Expected::sync;
  require(synced || PQsendFlushRequest(connection_.get()) == 1);
  require(PQflush(connection_.get()) == 0);
  PgResult last;
  std::exception_ptr first_error;
  for (const Sent& each : sent) {
    PgResult result = collect_one(each, first_error);
    if (each.expected == Expected::statement) last = std::move(result);
  }
  if (first_error) std::rethrow_exception(first_error);
  return last;
}

PgResult PgConnection::collect_one(const Sent& sent, std::exception_ptr& first_error) {
  PgResult result(PQgetResult(connection_.get()));
  require(result != nullptr && PQstatus(connection_.get()) != CONNECTION_BAD);
  if (sent.expected == Expected::sync) return result;

  if (!succeeded(result.get())) {
    if (sent.expected == Expected::preparation) statements_.forget(*sent.sql);
    if (PQresultStatus(result.get()) != PGRES_PIPELINE_ABORTED) {
      require(!ends_connection(connection_.get(), result.get()));
      if (!first_error) first_error = postgres_error(connection_.get(), result.get(), sent.sql->text);
    }
  }
  // Each command's results end with a null.
  while (PgResult rest{PQgetResult(connection_.get())}) continue;
  return result;
}

void PgConnection::run_script(const std::string& statements) {
  // A script needs the simple protocol, which pipeline mode does not speak.
  require(PQexitPipelineMode(connection_.get()) == 1);
  PgResult result(PQexec(connection_.get(), statements.c_str()));
  require(PQstatus(connection_.get()) == CONNECTION_OK && PQenterPipelineMode(connection_.get()) == 1);
  if (!succeeded(result.get())) {
    std::rethrow_exception(postgres_error(connection_.get(), result.get(), "(script)"));
  }
}

void PgConnection::require(bool succeeded) {
  lost_ = lost_ || !succeeded;
  if (lost_) throw ConnectionLost();
}

bool PgConnection::ended_while_idle() const {
  pollfd socket{PQsocket(connection_.get()), POLLIN, 0};
  return ::poll(&socket, 1, 0) != 0;
}

}  // namespace guildhall
