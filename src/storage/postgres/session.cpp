#include "storage/postgres/session.h"

#include <random>
#include <thread>

#include "base/failure.h"
#include "storage/postgres/errors.h"
#include "storage/postgres/transaction.h"

namespace guildhall {
namespace {

// The pause is random: transactions that waited equally long would conflict again.
void pause_after_race(int attempt) {
  thread_local std::minstd_rand random{std::random_device{}()};
  int microseconds_max = std::min(50'000, 500 << attempt);
  std::this_thread::sleep_for(
      std::chrono::microseconds(std::uniform_int_distribution<int>(0, microseconds_max)(random)));
}

}  // namespace

void PgSession::connect() {
  server_was_silent_ = false;
  connection_.emplace(url_, silence_);
}

void PgSession::disconnect() {
  server_was_silent_ = connection_->server_was_silent();
  connection_.reset();
}

void PgSession::run(const Job& job) {
  if (connection_->ended_while_idle()) {
    disconnect();
    ConnectionLost ended;
    ended.after_use = false;
    throw ended;
  }
  for (int attempt = 1; attempt <= attempts_max; ++attempt) {
    if (job.waiter.is_closing()) throw unavailable("The service is shutting down.");
    if (!connection_) throw ConnectionLost();
    try {
      return run_once(job);
    } catch (const WriteRace&) {
      metrics_.races.add();
      pause_after_race(attempt);
    }
  }
  throw unavailable("The record is being changed by too many at once.");
}

void PgSession::run_once(const Job& job) {
  PgTx tx(*connection_, job.kind);
  try {
    job.body(tx);
    tx.commit();
    if (job.kind == Job::Kind::write) {
      metrics_.commits.add();
      metrics_.committed.add();
    }
    for (const auto& action : tx.take_after_commit()) action();
  } catch (...) {
    // After a failed rollback the state of the connection is unknown, so a new one is made.
    try {
      tx.roll_back();
    } catch (...) {
      disconnect();
    }
    throw;
  }
}

}  // namespace guildhall
