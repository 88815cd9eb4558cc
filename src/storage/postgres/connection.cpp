#include "storage/postgres/connection.h"

#include <cerrno>
#include <poll.h>

#include "base/log.h"
#include "storage/postgres/errors.h"
#include "storage/storage.h"

namespace guildhall {
namespace {

bool succeeded(const PGresult* result) {
  ExecStatusType status = PQresultStatus(result);
  return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
}

}  // namespace

PgConnection::PgConnection(const std::string& url, SilenceLimit& silence)
    : connection_(connect_and_wait(url)), silence_(silence) {
  if (PQstatus(connection_.get()) != CONNECTION_OK) {
    throw DatabaseUnreachable(fmt::format("PostgreSQL cannot be reached: {}.", error_message(connection_.get())));
  }
  PQsetNoticeReceiver(connection_.get(), receive_notice, this);
  require(PQsetnonblocking(connection_.get(), 1) == 0 && PQenterPipelineMode(connection_.get()) == 1);
  send({&session_settings, {}});
  send_sync();
  collect();
}

// When a commit was made on the primary alone, the server sends a warning and then reports success. The server may
// translate the text of the warning, so it is recognised by its class: no other statement of ours causes a warning.
void PgConnection::receive_notice(void* connection, const PGresult* notice) {
  log::debug("PostgreSQL", {{"notice", PQresultErrorMessage(notice)}});
  const char* severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
  const bool warning = severity != nullptr && std::string_view(severity) == "WARNING";
  if (warning && (sqlstate(notice) == "01000" || sqlstate(notice) == "57P01")) {
    static_cast<PgConnection*>(connection)->replication_warning_ = true;
  }
}

void PgConnection::send(const Query& query, std::size_t times, Keep keep) {
  PgStatements::Sent sent = statements_.send(connection_.get(), query, times);
  require(sent != PgStatements::Sent::failed);
  if (sent == PgStatements::Sent::prepare_and_statement) sent_.push_back({Expected::preparation, query.sql, times});
  sent_.push_back({keep == Keep::yes ? Expected::kept_statement : Expected::statement, query.sql, times});
}

void PgConnection::send_sync() {
  require(PQpipelineSync(connection_.get()) == 1);
  sent_.push_back({Expected::sync, nullptr});
}

PgResult PgConnection::collect() {
  std::vector<Sent> sent = std::exchange(sent_, {});
  bool synced = !sent.empty() && sent.back().expected == Expected::sync;
  require(synced || PQsendFlushRequest(connection_.get()) == 1);
  ++round_trips_;
  flush();
  PgResult last;
  std::exception_ptr first_error;
  const StatementTimer timer;
  for (const Sent& each : sent) {
    PgResult result = collect_one(each, first_error);
    if (each.expected == Expected::statement) last = std::move(result);
    if (each.expected == Expected::kept_statement) kept_.push_back(std::move(result));
  }
  if (timer.is_slow()) log_slow(timer, sent);
  if (first_error) {
    kept_.clear();
    std::rethrow_exception(first_error);
  }
  return last;
}

// The server sends the results of a group of statements together, so only the time of all of them is known.
void PgConnection::log_slow(const StatementTimer& timer, const std::vector<Sent>& sent) {
  std::string statements;
  for (const Sent& each : sent) {
    if (each.sql == nullptr || each.expected == Expected::preparation) continue;
    statements += (statements.empty() ? "" : "; ") + each.sql->text;
    if (each.times > 1) statements += fmt::format(" (of {} transactions)", each.times);
  }
  timer.log(statements);
}

PgResult PgConnection::collect_one(const Sent& sent, std::exception_ptr& first_error) {
  PgResult result = next_result();
  require(result != nullptr && PQstatus(connection_.get()) != CONNECTION_BAD);
  if (sent.expected == Expected::sync) return result;

  if (!succeeded(result.get())) {
    if (sent.expected == Expected::preparation) statements_.forget(*sent.sql, sent.times);
    if (PQresultStatus(result.get()) != PGRES_PIPELINE_ABORTED) {
      require(!ends_connection(connection_.get(), result.get()));
      if (!first_error) first_error = postgres_error(connection_.get(), result.get(), sent.sql->text);
    }
  }
  // The results of each command end with a null.
  while (PgResult rest = next_result()) continue;
  return result;
}

void PgConnection::flush() {
  int left = 0;
  while ((left = PQflush(connection_.get())) > 0) {
    wait_for_socket(POLLIN | POLLOUT);
    require(PQconsumeInput(connection_.get()) == 1);  // the server may not read more until we have read its results
  }
  require(left == 0);
}

PgResult PgConnection::next_result() {
  while (PQisBusy(connection_.get()) == 1) {
    wait_for_socket(POLLIN);
    require(PQconsumeInput(connection_.get()) == 1);
  }
  return PgResult(PQgetResult(connection_.get()));
}

void PgConnection::wait_for_socket(short events) {
  const auto began = std::chrono::steady_clock::now();
  pollfd socket{PQsocket(connection_.get()), events, 0};
  while (true) {
    const int ready = ::poll(&socket, 1, static_cast<int>(SilenceLimit::check_interval.count()));
    if (ready > 0) return silence_.answered();
    require(ready == 0 || errno == EINTR);
    if (silence_is_limited_ && std::chrono::steady_clock::now() - began >= silence_.get()) break;
  }
  log::error("PostgreSQL does not answer: the connection is given up");
  server_was_silent_ = true;
  silence_.exceeded();
  require(false);
}

void PgConnection::run_script(const std::string& statements) {
  // A script needs the simple protocol, which is not available in pipeline mode.
  require(PQexitPipelineMode(connection_.get()) == 1);
  require(PQsendQuery(connection_.get(), statements.c_str()) == 1);
  flush();
  PgResult result;
  while (PgResult next = next_result()) {
    if (!result || succeeded(result.get())) result = std::move(next);
  }
  require(PQstatus(connection_.get()) == CONNECTION_OK && PQenterPipelineMode(connection_.get()) == 1);
  if (!succeeded(result.get())) {
    std::rethrow_exception(postgres_error(connection_.get(), result.get(), "(script)"));
  }
}

void PgConnection::require(bool succeeded) {
  lost_ = lost_ || !succeeded;
  if (!lost_) return;
  ConnectionLost lost;
  lost.server_was_silent = server_was_silent_;
  throw lost;
}

bool PgConnection::ended_while_idle() const {
  pollfd socket{PQsocket(connection_.get()), POLLIN, 0};
  return ::poll(&socket, 1, 0) != 0;
}

}  // namespace guildhall
