#pragma once

#include <optional>
#include <span>
#include <string>

#include "storage/job.h"
#include "storage/postgres/transaction.h"
#include "storage/storage_metrics.h"

namespace guildhall {

// A job whose body has ended, and what is left to do.
struct UncommittedJob {
  Job* job;
  PgWrites writes;
  std::vector<std::function<void()>> after_commit;
};

// One thread's connection and what runs on it.
class PgSession {
 public:
  PgSession(std::string url, SilenceLimit& silence, TransactionMetrics metrics, Counter& round_trips)
      : url_(std::move(url)), silence_(silence), metrics_(metrics), round_trips_(round_trips) {}

  bool is_connected() const { return connection_.has_value(); }

  // Throws DatabaseUnreachable when the server cannot be reached.
  void connect();

  // Runs a transaction to its end; repeats it after a race. Throws what the body throws; Failure unavailable; or
  // ConnectionLost when nothing was committed. There may be no connection afterwards.
  void run(const Job& job) { run(job, nullptr); }

  // The same, but when the writes of the body can be committed with those of others, returns them instead. The caller
  // has to commit them.
  std::optional<UncommittedJob> prepare(Job& job);

  // Commits the writes of all jobs as one transaction. Throws OutcomeUnknown, or another exception when nothing was
  // committed.
  void commit(std::span<UncommittedJob> jobs);

  // Why there is no connection any more: the server did not answer in time.
  bool server_was_silent() const { return server_was_silent_; }

 private:
  void run(const Job& job, std::optional<UncommittedJob>* joining);
  void run_once(const Job& job, std::optional<UncommittedJob>* joining);
  // Runs the body, then rolls back if it has thrown an exception.
  void or_roll_back(PgTx& tx, FunctionRef<void()> body);
  void require_connection();
  void disconnect();

  std::string url_;
  SilenceLimit& silence_;
  TransactionMetrics metrics_;
  Counter& round_trips_;
  std::optional<PgConnection> connection_;
  bool server_was_silent_ = false;
};

}  // namespace guildhall
