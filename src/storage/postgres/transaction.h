#pragma once

#include <exception>
#include <vector>

#include "storage/job.h"
#include "storage/postgres/connection.h"

namespace guildhall {

// A transaction's body on PostgreSQL. BEGIN travels with the first statement, deferred statements with the
// next one that is waited for or with COMMIT: an insert whose statements are all deferred costs one round
// trip.
class PgTx : public Tx {
 public:
  PgTx(PgConnection& connection, Job::Kind kind) : connection_(connection), kind_(kind) {
    connection_.limit_silence(true);
  }

  using Tx::run;
  std::int64_t run(const Query& query, RowSink sink) override;
  using Tx::later;
  void later(Query query, Refused refused) override;
  bool has_single_writer() const override { return false; }

  // Throws what the transaction failed with. Failure unavailable when the connection breaks while the server
  // may be committing, since nobody knows then whether it did; and when the server warns that the commit may not have
  // reached its standby servers, since it can still be lost with the primary.
  void commit();

  // Throws ConnectionLost when even that fails; the server then rolls back by itself.
  void roll_back();

 private:
  void run_script(std::string_view statements) override;
  void lift_time_limits() override;
  // Sends whatever must precede the next statement.
  void send_waiting();
  void check() const;
  void remember_failure(FunctionRef<void()> action);
  // What the failure that is being handled means to the statement that was deferred.
  std::exception_ptr meaning_of_failure() const;

  PgConnection& connection_;
  Job::Kind kind_;
  bool begun_ = false;
  std::vector<Query> deferred_;
  std::vector<Refused> refused_;  // of all that were deferred: each knows its own constraints
  std::exception_ptr failed_;
};

}  // namespace guildhall
