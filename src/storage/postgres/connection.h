#pragma once

#include <string>
#include <vector>

#include "storage/postgres/result.h"
#include "storage/postgres/settings.h"
#include "storage/postgres/silence_limit.h"
#include "storage/postgres/statements.h"
#include "storage/slow_statements.h"

namespace guildhall {

// A blocking connection in pipeline mode, for one thread. Statements are sent without waiting; collect() waits for the
// results of all statements since its last call. Every function throws ConnectionLost when the connection is broken or
// the server has been silent for too long; after that the connection cannot be used any more.
class PgConnection {
 public:
  // Throws DatabaseUnreachable with libpq's message when the server cannot be reached.
  PgConnection(const std::string& url, SilenceLimit& silence);
  PgConnection(const PgConnection&) = delete;
  PgConnection& operator=(const PgConnection&) = delete;

  // `times`: as for PgStatements::send().
  void send(const Query& query, std::size_t times = 1) { send(query, times, Keep::no); }

  // The same for a statement whose result take_kept() returns after collect().
  void send_and_keep(const Query& query) { send(query, 1, Keep::yes); }

  // Ends a group of statements: after an error the server skips the rest of the group.
  void send_sync();

  // Returns the result of the last statement. Throws the first error, after reading all other results.
  PgResult collect();

  // Returns the results that collect() has kept since the last call, in the order of sending.
  std::vector<PgResult> take_kept() { return std::exchange(kept_, {}); }

  // Returns how often collect() was called since the last call: each is a round trip.
  std::uint64_t take_round_trips() { return std::exchange(round_trips_, 0); }

  // Runs several statements without parameters. No statement may be in progress.
  void run_script(const std::string& statements);

  // True when the server has closed the connection, or announced it, while no statement was in progress.
  bool ended_while_idle() const;

  // Makes this and every later call throw ConnectionLost.
  void give_up() { require(false); }
  bool is_lost() const { return lost_; }

  // Sets whether the limit on silence applies: a migration may take as long as it needs.
  void limit_silence(bool limited) { silence_is_limited_ = limited; }

  // True when the connection was closed because the server did not answer in time.
  bool server_was_silent() const { return server_was_silent_; }

  // True when the server has warned since the last call that a commit may not have reached the standby servers.
  bool take_replication_warning() { return std::exchange(replication_warning_, false); }

 private:
  enum class Expected { preparation, statement, kept_statement, sync };
  enum class Keep { no, yes };
  struct Sent {
    Expected expected;
    const Sql* sql;
    std::size_t times = 1;
  };

  void send(const Query& query, std::size_t times, Keep keep);
  static void log_slow(const StatementTimer& timer, const std::vector<Sent>& sent);
  PgResult collect_one(const Sent& sent, std::exception_ptr& first_error);
  // Throws ConnectionLost unless the call succeeded, and in every later call.
  void require(bool succeeded);
  void flush();
  PgResult next_result();
  // Waits until the socket is ready for one of the events of poll().
  void wait_for_socket(short events);
  static void receive_notice(void* connection, const PGresult* notice);

  PgHandle connection_;
  SilenceLimit& silence_;
  bool silence_is_limited_ = true;
  bool server_was_silent_ = false;
  bool replication_warning_ = false;
  bool lost_ = false;
  PgStatements statements_;
  std::vector<Sent> sent_;
  std::vector<PgResult> kept_;
  std::uint64_t round_trips_ = 0;
};

}  // namespace guildhall
