#include "storage/postgres/reader.h"

#include <boost/asio/post.hpp>

#include "base/failure.h"
#include "base/log.h"
#include "base/trace.h"
#include "storage/params.h"
#include "storage/postgres/errors.h"

// Sending reads and receiving their results. Connecting is in reader_connection.cpp.
namespace guildhall {

namespace asio = boost::asio;

namespace {

constexpr int reads_per_sync_max = 64;

}  // namespace

PgReader::PgReader(asio::io_context& loop, std::string url, int waiting_max, SilenceLimit& silence, Fallback fallback)
    : loop_(loop),
      url_(std::move(url)),
      waiting_max_(static_cast<std::size_t>(waiting_max)),
      silence_(silence),
      fallback_(std::move(fallback)),
      socket_(loop),
      connect_timer_(loop),
      silence_timer_(loop) {}

Task<> PgReader::run(const Query& query, RowSink sink) {
  check_text(query);
  Read read(query, sink);
  if (state_ == State::down && back_off_.is_waiting()) {
    read.unsent = true;
  } else {
    Task<> answered = wait_for(read);
    submit(read);
    const trace::Suspension suspension;
    co_await std::move(answered);
  }
  if (read.unsent) co_await fallback_(query, sink);
}

void PgReader::submit(Read& read) {
  if (state_ == State::closed) throw unavailable("The service is shutting down.");
  if (waiting_.size() + sent_.size() >= waiting_max_) {
    throw unavailable("Too many requests wait for the database.");
  }
  schedule_turn();
  waiting_.push_back(&read);
}

void PgReader::schedule_turn() {
  if (turn_scheduled_) return;
  asio::post(loop_, [self = shared_from_this()] { self->turn(); });
  turn_scheduled_ = true;
}

void PgReader::turn() {
  turn_scheduled_ = false;
  if (state_ == State::down && !waiting_.empty()) connect();
  if (state_ == State::ready) send_waiting();
  deliver();
}

void PgReader::send_waiting() {
  int unsynced = 0;
  while (!waiting_.empty()) {
    Read& read = *waiting_.front();
    bool full = read.needs_own_sync || unsynced == reads_per_sync_max;
    if (unsynced > 0 && full) {
      if (!send_sync()) return lose();
      unsynced = 0;
    }
    waiting_.pop_front();
    if (!send_one(read)) return lose();
    ++unsynced;
    if (read.needs_own_sync) {
      if (!send_sync()) return lose();
      unsynced = 0;
    }
  }
  if (unsynced > 0 && !send_sync()) return lose();
  flush();
}

bool PgReader::send_one(Read& read) {
  PgStatements::Sent sent = statements_.send(connection_.get(), read.query);
  if (sent == PgStatements::Sent::prepare_and_statement) sent_.push_back({Expected::preparation, &read});
  sent_.push_back({Expected::statement, &read});
  return sent != PgStatements::Sent::failed;
}

bool PgReader::send_sync() {
  sent_.push_back({Expected::sync, nullptr});
  return PQpipelineSync(connection_.get()) == 1;
}

void PgReader::flush() {
  watch_for_silence();
  int left = PQflush(connection_.get());
  if (left < 0) return lose();
  if (left > 0 && !awaiting_output_) {
    awaiting_output_ = true;
    wait(asio::posix::descriptor_base::wait_write, &PgReader::on_writable);
  }
  if (!sent_.empty() && !awaiting_input_) {
    awaiting_input_ = true;
    wait(asio::posix::descriptor_base::wait_read, &PgReader::on_readable);
  }
}

void PgReader::on_writable() {
  awaiting_output_ = false;
  flush();
  deliver();
}

void PgReader::on_readable() {
  awaiting_input_ = false;
  silent_since_ = std::chrono::steady_clock::now();
  silence_.answered();
  bool alive = PQconsumeInput(connection_.get()) == 1;
  while (alive && !sent_.empty() && PQisBusy(connection_.get()) == 0) {
    alive = take(PgResult(PQgetResult(connection_.get())));
  }
  if (alive) {
    flush();
  } else {
    lose();
  }
  deliver();
}

// Handles the next result. Returns false when the connection is lost.
bool PgReader::take(PgResult result) {
  if (PQstatus(connection_.get()) == CONNECTION_BAD) return false;
  Sent sent = sent_.front();
  if (result == nullptr) {  // this was the last result of a command
    sent_.pop_front();
    end_of(sent);
    return true;
  }
  switch (PQresultStatus(result.get())) {
    case PGRES_PIPELINE_SYNC:
      sent_.pop_front();
      return true;
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
      break;
    default:
      return take_failure(sent, result.get());
  }
  if (sent.expected != Expected::statement) return true;
  sent.read->answered = true;
  try {
    hand_over(result.get(), sent.read->sink);
  } catch (...) {
    sent.read->error = std::current_exception();
  }
  return true;
}

bool PgReader::take_failure(const Sent& sent, PGresult* result) {
  bool skipped = PQresultStatus(result) == PGRES_PIPELINE_ABORTED;
  if (!skipped && ends_connection(connection_.get(), result)) return false;
  if (sent.expected == Expected::settings) {
    log::error("PostgreSQL refused the session's settings", {{"sqlstate", sqlstate(result)}});
    return false;
  }
  // The server may have skipped the preparation after an earlier failure, when this statement had been sent already.
  bool unprepared = sqlstate(result) == "26000" && !sent.read->needs_own_sync;
  if (skipped || unprepared || sent.expected == Expected::preparation) statements_.forget(*sent.read->query.sql);
  if (!skipped && !unprepared) {
    sent.read->error = postgres_error(connection_.get(), result, sent.read->query.sql->text);
  }
  return true;
}

void PgReader::end_of(const Sent& sent) {
  if (sent.expected != Expected::statement) return;
  if (sent.read->answered || sent.read->error) {
    sent.read->timer.ended(sent.read->query.sql->text);
    done_.push_back(sent.read);
    return;
  }
  sent.read->needs_own_sync = true;
  schedule_turn();
  waiting_.push_back(sent.read);
}

void PgReader::fail(Read& read, std::string sentence) {
  read.error = std::make_exception_ptr(unavailable(std::move(sentence)));
  done_.push_back(&read);
}

// Called last in every event handler, because a coroutine that resumes may call run() again at once.
void PgReader::deliver() {
  if (!done_.empty()) Delivery(std::exchange(done_, {}))();
}

}  // namespace guildhall
