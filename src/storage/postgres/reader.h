#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "storage/job.h"
#include "storage/postgres/back_off.h"
#include "storage/postgres/result.h"
#include "storage/postgres/settings.h"
#include "storage/postgres/silence_limit.h"
#include "storage/postgres/statements.h"
#include "storage/slow_statements.h"

namespace guildhall {

// A loop's connection for single reading statements. The reads of one turn of the loop are sent together and share one
// sync; several of the same statement, which differ only in texts, are sent as one, since a statement costs the server
// more than a row; and equal ones share their rows. When a statement fails, the server skips the others up to that
// sync, and each of those is run again with a sync of its own. A read that was in progress when the connection broke is
// sent once more on a new one. When the server has been silent for too long, all reads end with Failure unavailable.
// When no connection can be made, for example because the server's connection limit is reached, reads are passed to the
// fallback.
//
// While no read waits, nothing is pending on the loop except, for a moment, the timer that watches for silence. All
// functions run on the loop's thread.
class PgReader : public std::enable_shared_from_this<PgReader> {
 public:
  using Fallback = std::function<Task<>(const Query&, RowSink)>;

  PgReader(boost::asio::io_context& loop, std::string url, int waiting_max, SilenceLimit& silence, Fallback fallback);

  // Throws Failure unavailable when the server does not answer, or too many reads are waiting.
  Task<> run(const Query& query, RowSink sink);

  // The same for several queries at once, but returns their rows; of some there are none when there is no connection.
  Task<std::vector<std::optional<PgRows>>> rows_of(std::span<const Query> queries);

  // Ends the waiting reads with Failure unavailable.
  void close();

 private:
  enum class State { down, connecting, ready, closed };
  enum class Expected { settings, preparation, statement, sync };

  // A coroutine that waits for one read or several.
  struct Caller : Suspended {
    std::size_t waits_for = 0;
  };
  struct Read {
    Read(const Query& query, FunctionRef<void(const PgRows&)> sink) : query(query), sink(sink) {}
    const Query& query;
    FunctionRef<void(const PgRows&)> sink;
    Caller* caller = nullptr;
    std::exception_ptr error{};
    StatementTimer timer{};
    std::size_t use = 0;          // which use of the statement it was sent with is its own
    bool answered = false;        // the sink has received the rows, so this read must not run again
    bool needs_own_sync = false;  // needs its own sync, because another read before the same sync failed
    bool resent = false;          // was in progress when the connection broke
    bool unsent = false;          // was not sent, because there is no connection
  };
  struct Sent {
    Expected expected;
    std::vector<Read*> reads{};  // several when they were sent as one statement
    std::size_t uses = 1;        // how many of them are different
    bool together() const { return uses > 1; }
  };
  using Step = void (PgReader::*)();

  Task<> send_and_wait(std::span<Read> reads);
  void submit(std::span<Read> reads);
  void schedule_turn();
  void turn();

  void connect();
  void poll_connect();
  void connected();
  void connect_failed(std::string_view reason);
  void disconnect();
  void lose();
  void watch_for_silence();
  void check_silence();

  void send_waiting();
  // The reads at the front that can be sent as one statement.
  std::vector<Read*> next_reads();
  bool can_join(const Read& read) const;
  bool send(std::vector<Read*> reads);
  bool send_sync();
  void flush();
  void on_writable();
  void on_readable();
  bool take(PgResult result);
  bool take_failure(const Sent& sent, PGresult* result);
  static void hand_over_result(PgResult result, const Sent& sent);
  void end_of(Read& read);
  void finish(Read& read);

  void wait(boost::asio::posix::descriptor_base::wait_type what, Step next);
  void fail(Read& read, std::string sentence);
  void fail_all(const Sent& sent, const std::string& sentence);
  void deliver();

  boost::asio::io_context& loop_;
  const std::string url_;
  const std::size_t waiting_max_;
  SilenceLimit& silence_;
  const Fallback fallback_;
  State state_ = State::down;
  BackOff back_off_;
  PgHandle connection_;
  boost::asio::posix::stream_descriptor socket_;  // libpq owns the descriptor: it is released, never closed
  boost::asio::steady_timer connect_timer_;
  boost::asio::steady_timer silence_timer_;
  bool watching_ = false;                                 // silence_timer_ is running
  std::chrono::steady_clock::time_point silent_since_{};  // the last data from the server, or the first read since
  std::uint64_t epoch_ = 0;  // the number of the connection, to ignore late events of an earlier one
  PgStatements statements_;
  std::unordered_set<const Sql*> only_single_;  // statements that PostgreSQL refuses for several uses
  bool turn_scheduled_ = false;
  bool awaiting_input_ = false;
  bool awaiting_output_ = false;
  std::deque<Read*> waiting_;
  std::deque<Sent> sent_;
  std::vector<Suspended*> done_;
};

}  // namespace guildhall
