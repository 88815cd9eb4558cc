#include "storage/postgres/session.h"

#include <random>
#include <thread>

#include "base/failure.h"
#include "base/log.h"
#include "storage/postgres/errors.h"
#include "storage/postgres/transaction.h"

namespace guildhall {
namespace {

// Racing bodies that all waited equally long would only meet again.
void pause_after_race(int attempt) {
  thread_local std::minstd_rand random{std::random_device{}()};
  int microseconds_max = std::min(50'000, 500 << attempt);
  std::this_thread::sleep_for(
      std::chrono::microseconds(std::uniform_int_distribution<int>(0, microseconds_max)(random)));
}

}  // namespace

void PgSession::run(const Job& job) {
  bool reconnected = false;
  for (int attempt = 1; attempt <= attempts_max;) {
    if (job.waiter.gone()) throw unavailable("The service is shutting down.");
    try {
      return run_once(job);
    } catch (const WriteRace&) {
      pause_after_race(attempt++);
    } catch (const ConnectionLost&) {
      if (reconnected) throw unavailable("The connection to the database broke; nothing was changed.");
      reconnected = true;
    }
  }
  throw unavailable("The record is being changed by too many at once.");
}

void PgSession::run_once(const Job& job) {
  PgTx tx(connected(), job.kind);
  try {
    job.body(tx);
    tx.commit();
  } catch (...) {
    // Whatever state a failed rollback leaves behind, a new connection is free of it.
    try {
      tx.roll_back();
    } catch (...) {
      connection_.reset();
    }
    throw;
  }
}

PgConnection& PgSession::connected() {
  if (connection_ && connection_->ended_while_idle()) connection_.reset();
  if (connection_) return *connection_;
  back_off_.check();
  try {
    connection_.emplace(url_);
  } catch (const std::exception& error) {
    back_off_.failed();
    log::error("No connection to PostgreSQL", {{"error", error.what()}});
    throw unavailable("The database does not answer.");
  }
  back_off_.succeeded();
  return *connection_;
}

}  // namespace guildhall
