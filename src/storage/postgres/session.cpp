#include "storage/postgres/session.h"

#include <random>
#include <thread>

#include "base/failure.h"
#include "storage/postgres/errors.h"

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

void PgSession::require_connection() {
  if (!connection_->ended_while_idle()) return;
  disconnect();
  ConnectionLost ended;
  ended.after_use = false;
  throw ended;
}

std::optional<UncommittedJob> PgSession::prepare(Job& job) {
  std::optional<UncommittedJob> uncommitted;
  run(job, &uncommitted);
  if (uncommitted) uncommitted->job = &job;
  return uncommitted;
}

void PgSession::run(const Job& job, std::optional<UncommittedJob>* joining) {
  require_connection();
  for (int attempt = 1; attempt <= attempts_max; ++attempt) {
    if (job.waiter.is_closing()) throw unavailable("The service is shutting down.");
    if (!connection_) throw ConnectionLost();
    try {
      return run_once(job, joining);
    } catch (const WriteRace&) {
      metrics_.races.add();
      pause_after_race(attempt);
    }
  }
  throw unavailable("The record is being changed by too many at once.");
}

void PgSession::run_once(const Job& job, std::optional<UncommittedJob>* joining) {
  PgTx tx(*connection_, job.kind);
  or_roll_back(tx, [&] {
    job.run(tx);
    if (joining != nullptr && tx.can_join_others()) {
      joining->emplace(nullptr, tx.take_writes(), tx.take_after_commit());
      return;
    }
    tx.commit();
    if (job.kind == Job::Kind::write) {
      metrics_.commits.add();
      metrics_.committed.add();
    }
    for (const auto& action : tx.take_after_commit()) action();
  });
}

void PgSession::commit(std::span<UncommittedJob> jobs) {
  require_connection();
  PgTx tx(*connection_, Job::Kind::write);
  or_roll_back(tx, [&] {
    if (jobs.size() > 1) tx.wait_briefly_for_locks();
    std::vector<PgWrites> writes;
    for (UncommittedJob& each : jobs) writes.push_back(std::move(each.writes));
    tx.add(join(std::move(writes)));
    tx.commit();
  });
  metrics_.commits.add();
  metrics_.committed.add(jobs.size());
  for (const UncommittedJob& each : jobs) {
    for (const auto& action : each.after_commit) action();
  }
}

void PgSession::or_roll_back(PgTx& tx, FunctionRef<void()> body) {
  try {
    body();
    round_trips_.add(connection_->take_round_trips());
  } catch (...) {
    // After a failed rollback the state of the connection is unknown, so a new one is made.
    try {
      tx.roll_back();
      if (connection_->is_lost()) disconnect();
    } catch (...) {
      disconnect();
    }
    throw;
  }
}

}  // namespace guildhall
