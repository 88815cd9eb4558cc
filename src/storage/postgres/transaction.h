#pragma once

#include <exception>
#include <span>
#include <vector>

#include "storage/job.h"
#include "storage/postgres/connection.h"
#include "storage/postgres/writes.h"

namespace guildhall {

// A transaction on PostgreSQL, as passed to its body. Deferred statements are sent with the next one that returns a
// result or with COMMIT, so that a transaction whose statements are all deferred costs one round trip.
//
// BEGIN is sent with the first write. Reads before it are statements of their own, which makes no difference, since
// each statement of a writing transaction sees what was committed before it. So a body that first reads and then defers
// its writes has sent nothing of its transaction when it ends, and these writes can be committed with those of others.
class PgTx : public Tx {
 public:
  PgTx(PgConnection& connection, Job::Kind kind) : connection_(connection), kind_(kind) {
    connection_.limit_silence(true);
  }

  using Tx::run;
  std::int64_t run(const Query& query, RowSink sink) override;
  using Tx::later;
  void later(Query query, Refused refused) override { later_on_shared_row({}, std::move(query), refused); }
  void later_unread(Query query, Refused refused) override;
  void later_on_shared_row(SharedRow row, Query query, Refused refused) override;
  void read_ahead(Query query) override;
  bool has_single_writer() const override { return false; }

  // Passes on the rows of a read that was run before the transaction: the body gets them when it runs this query. To be
  // called before the body.
  void has_read(Query query, PgRows rows) { read_ahead_.push_back({std::move(query), std::move(rows)}); }

  // Runs a reading statement before the transaction begins: its snapshot is taken after that.
  void run_before_snapshot(const Query& query, RowSink sink);

  // Ends the connection, since its server is not the right one. Throws ConnectionLost.
  void give_up_connection() { connection_.give_up(); }

  // True when there are writes, all of them deferred, and nothing else was done in this transaction.
  bool can_join_others() const;
  PgWrites take_writes();
  void add(PgWrites&& writes);

  // For a transaction of several jobs: a row that is locked for long must not stop all of them.
  void wait_briefly_for_locks();

  // Rethrows the error of a failed transaction. Throws OutcomeUnknown when the connection breaks during the commit; and
  // when the server warns that the commit may not have reached its standby servers, because it can still be lost with
  // the primary.
  void commit();

  // Throws ConnectionLost when that fails; then the server rolls back by itself.
  void roll_back();

 private:
  struct Deferred : PgWrites::Statement {
    bool is_read_ahead = false;
    bool is_unread = false;  // that of later_unread()
  };
  struct ReadAhead {
    Query query;
    PgRows rows{};
  };

  void run_script(std::string_view statements) override;
  void lift_time_limits() override;
  // Sends BEGIN, if necessary, and the deferred statements.
  void send_waiting();
  void send_deferred(std::vector<Deferred> statements);
  // The deferred statements before the first write that a read might depend on.
  std::span<Deferred> before_first_write();
  // Moves the changes of shared rows to the end, sorted, and adds up those of the same row.
  void order_shared_rows();
  bool may_run_before_writes(const Query& query);
  // Runs a reading statement, and those that were announced before all writes, outside of the transaction.
  PgResult read_before_writes(const Query& query);
  // Waits for the results of all statements that were sent, and returns that of the last one.
  PgResult collect();
  // Returns the rows of the query if it was read ahead.
  std::optional<PgRows> take_read_ahead(const Query& query);
  void check() const;
  void remember_failure(FunctionRef<void()> action);
  // Returns the exception being handled, or the more specific one that a deferred statement makes of it.
  std::exception_ptr translated_failure() const;

  PgConnection& connection_;
  Job::Kind kind_;
  bool begun_ = false;
  bool changes_settings_ = false;  // a deferred statement is neither a read nor a write
  std::vector<Deferred> deferred_;
  std::vector<ReadAhead> read_ahead_;  // those of has_read(), then those that were sent, in that order
  std::vector<Refused> refused_;       // those of all deferred statements; each checks the name of the constraint
  std::exception_ptr failed_;
};

}  // namespace guildhall
