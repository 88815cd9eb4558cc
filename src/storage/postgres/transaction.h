#pragma once

#include <exception>
#include <vector>

#include "storage/job.h"
#include "storage/postgres/connection.h"

namespace guildhall {

// A transaction on PostgreSQL, as passed to its body. BEGIN is sent with the first statement, and deferred statements
// with the next one that returns a result or with COMMIT, so that a transaction whose statements are all deferred costs
// one round trip.
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

  // Rethrows the error of a failed transaction. Throws Failure unavailable when the connection breaks during the
  // commit, because its outcome is unknown then; and when the server warns that the commit may not have reached its
  // standby servers, because it can still be lost with the primary.
  void commit();

  // Throws ConnectionLost when that fails; then the server rolls back by itself.
  void roll_back();

 private:
  void run_script(std::string_view statements) override;
  void lift_time_limits() override;
  // Sends BEGIN, if necessary, and the deferred statements.
  void send_waiting();
  void check() const;
  void remember_failure(FunctionRef<void()> action);
  // Returns the exception being handled, or the more specific one that a deferred statement makes of it.
  std::exception_ptr translated_failure() const;

  PgConnection& connection_;
  Job::Kind kind_;
  bool begun_ = false;
  std::vector<Query> deferred_;
  std::vector<Refused> refused_;  // those of all deferred statements; each checks the name of the constraint
  std::exception_ptr failed_;
};

}  // namespace guildhall
