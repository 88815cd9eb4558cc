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
constexpr std::ptrdiff_t together_least = 3;  // of two, the longer statement would save little
constexpr std::size_t together_max = 32;

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
  const auto hand_over_rows = [&](const PgRows& rows) { hand_over(rows, sink); };
  Read read(query, hand_over_rows);
  co_await send_and_wait({&read, 1});
  if (read.unsent) co_await fallback_(query, sink);
}

Task<std::vector<std::optional<PgRows>>> PgReader::rows_of(std::span<const Query> queries) {
  struct Keep {
    std::optional<PgRows>& found;
    void operator()(const PgRows& rows) const { found = rows; }
  };
  std::vector<std::optional<PgRows>> found(queries.size());
  std::deque<Keep> keep;
  std::vector<Read> reads;
  for (std::size_t i = 0; i < queries.size(); ++i) reads.emplace_back(queries[i], keep.emplace_back(found[i]));
  co_await send_and_wait(reads);
  co_return found;
}

Task<> PgReader::send_and_wait(std::span<Read> reads) {
  Caller caller;
  caller.waits_for = reads.size();
  for (Read& read : reads) {
    check_text(read.query);
    read.caller = &caller;
    read.unsent = state_ == State::down && back_off_.is_waiting();
  }
  if (reads.front().unsent) co_return;
  Task<> answers = wait_for(caller);
  submit(reads);
  const trace::Suspension suspension;
  co_await std::move(answers);
}

void PgReader::submit(std::span<Read> reads) {
  if (state_ == State::closed) throw unavailable("The service is shutting down.");
  if (waiting_.size() + sent_.size() >= waiting_max_) {
    throw unavailable("Too many requests wait for the database.");
  }
  schedule_turn();
  for (Read& read : reads) waiting_.push_back(&read);
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
    const bool needs_own_sync = waiting_.front()->needs_own_sync;
    const bool full = needs_own_sync || unsynced >= reads_per_sync_max;
    if (unsynced > 0 && full) {
      if (!send_sync()) return lose();
      unsynced = 0;
    }
    std::vector<Read*> reads = next_reads();
    unsynced += static_cast<int>(reads.size());
    if (!send(std::move(reads))) return lose();
    if (needs_own_sync) {
      if (!send_sync()) return lose();
      unsynced = 0;
    }
  }
  if (unsynced > 0 && !send_sync()) return lose();
  flush();
}

bool PgReader::can_join(const Read& read) const {
  return !read.needs_own_sync && !read.query.params.empty() &&
         std::ranges::all_of(read.query.params,
                             [](const Value& value) { return std::holds_alternative<std::string>(value); }) &&
         !only_single_.contains(read.query.sql);
}

std::vector<PgReader::Read*> PgReader::next_reads() {
  const auto first = waiting_.begin();
  auto end = std::next(first);
  if (can_join(**first)) {
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(waiting_.size(), together_max));
    end = std::find_if(end, last,
                       [&](const Read* read) { return read->query.sql != (*first)->query.sql || !can_join(*read); });
    if (end - first < together_least) end = std::next(first);
  }
  std::vector<Read*> reads(first, end);
  waiting_.erase(first, end);
  return reads;
}

bool PgReader::send(std::vector<Read*> reads) {
  std::vector<const Query*> uses;
  for (Read* read : reads) {
    const auto same = std::ranges::find(uses, read->query.params, &Query::params);
    read->use = static_cast<std::size_t>(same - uses.begin());
    if (same == uses.end()) uses.push_back(&read->query);
  }
  const PgStatements::Sent sent = uses.size() > 1 ? statements_.send_together(connection_.get(), uses)
                                                  : statements_.send(connection_.get(), reads.front()->query);
  if (sent == PgStatements::Sent::prepare_and_statement) sent_.push_back({Expected::preparation, reads, uses.size()});
  sent_.push_back({Expected::statement, std::move(reads), uses.size()});
  return sent != PgStatements::Sent::failed;
}

bool PgReader::send_sync() {
  sent_.push_back({Expected::sync});
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
  if (result == nullptr) {  // this was the last result of a command
    const Sent sent = std::move(sent_.front());
    sent_.pop_front();
    if (sent.expected == Expected::statement) {
      for (Read* read : sent.reads) end_of(*read);
    }
    return true;
  }
  const Sent& sent = sent_.front();
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
  if (sent.expected == Expected::statement) hand_over_result(std::move(result), sent);
  return true;
}

void PgReader::hand_over_result(PgResult result, const Sent& sent) {
  std::vector<PgRows> rows{all_rows(std::move(result))};
  std::exception_ptr error;
  if (sent.together()) error = error_of([&] { rows = rows_of_each(rows.front(), sent.uses); });
  for (Read* read : sent.reads) {
    read->answered = true;
    read->error = error ? error : error_of([&] { read->sink(rows[read->use]); });
  }
}

bool PgReader::take_failure(const Sent& sent, PGresult* result) {
  bool skipped = PQresultStatus(result) == PGRES_PIPELINE_ABORTED;
  if (!skipped && ends_connection(connection_.get(), result)) return false;
  if (sent.expected == Expected::settings) {
    log::error("PostgreSQL refused the session's settings", {{"sqlstate", sqlstate(result)}});
    return false;
  }
  Read& first = *sent.reads.front();
  const Sql& sql = *first.query.sql;
  // The server may have skipped the preparation after an earlier failure, when this statement had been sent already.
  bool unprepared = sqlstate(result) == "26000" && !first.needs_own_sync;
  const bool forgets = skipped || unprepared || sent.expected == Expected::preparation;
  if (sent.together()) {  // each runs again for itself
    if (forgets) statements_.forget_together(sql);
    if (!skipped && sent.expected == Expected::preparation) only_single_.insert(&sql);
    return true;
  }
  if (forgets) statements_.forget(sql);
  if (!skipped && !unprepared) {
    const std::exception_ptr error = postgres_error(connection_.get(), result, sql.text);
    for (Read* read : sent.reads) read->error = error;
  }
  return true;
}

void PgReader::end_of(Read& read) {
  if (read.answered || read.error) {
    read.timer.ended(read.query.sql->text);
    return finish(read);
  }
  read.needs_own_sync = true;
  schedule_turn();
  waiting_.push_back(&read);
}

void PgReader::fail(Read& read, std::string sentence) {
  read.error = std::make_exception_ptr(unavailable(std::move(sentence)));
  finish(read);
}

void PgReader::finish(Read& read) {
  Caller& caller = *read.caller;
  if (read.error) caller.error = read.error;
  if (--caller.waits_for == 0) done_.push_back(&caller);
}

void PgReader::fail_all(const Sent& sent, const std::string& sentence) {
  for (Read* read : sent.reads) fail(*read, sentence);
}

// Called last in every event handler, because a coroutine that resumes may call run() again at once.
void PgReader::deliver() {
  if (!done_.empty()) Delivery(std::exchange(done_, {}))();
}

}  // namespace guildhall
