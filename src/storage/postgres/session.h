#pragma once

#include <optional>
#include <string>

#include "storage/job.h"
#include "storage/postgres/connection.h"
#include "storage/storage_metrics.h"

namespace guildhall {

// One thread's connection and what runs on it.
class PgSession {
 public:
  PgSession(std::string url, SilenceLimit& silence, TransactionMetrics metrics)
      : url_(std::move(url)), silence_(silence), metrics_(metrics) {}

  bool is_connected() const { return connection_.has_value(); }

  // Throws DatabaseUnreachable when the server cannot be reached.
  void connect();

  // Runs a transaction to its end; repeats it after a race. Throws what the body throws; Failure unavailable; or
  // ConnectionLost when nothing was committed. There may be no connection afterwards.
  void run(const Job& job);

  // Why there is no connection any more: the server did not answer in time.
  bool server_was_silent() const { return server_was_silent_; }

 private:
  void run_once(const Job& job);
  void disconnect();

  std::string url_;
  SilenceLimit& silence_;
  TransactionMetrics metrics_;
  std::optional<PgConnection> connection_;
  bool server_was_silent_ = false;
};

}  // namespace guildhall
