#include "storage/sqlite/writer.h"

#include "base/failure.h"
#include "base/log.h"
#include "storage/sqlite/disk_space.h"
#include "storage/sqlite/errors.h"
#include "storage/sqlite/transaction.h"

namespace guildhall {
namespace {

constexpr std::size_t batch_jobs_max = 512;
// While readers keep SQLite from restarting the log, a checkpoint after every commit would only cost syncs.
constexpr int tries_a_log = 8;
constexpr int full_disk_busy_ms_max = 200;
constexpr int busy_ms_max = 5'000;
constexpr int careful_after_failure = 16;  // batches; failures often come in groups
constexpr std::chrono::milliseconds idle_before_checkpoint{200};

const Sql begin_sql{"BEGIN IMMEDIATE"};
const Sql commit_sql{"COMMIT"};
const Sql roll_back_sql{"ROLLBACK"};
const Sql savepoint_sql{"SAVEPOINT body"};
const Sql release_sql{"RELEASE body"};
const Sql roll_back_body_sql{"ROLLBACK TO body"};

}  // namespace

SqliteWriter::SqliteWriter(const std::string& path, int queued_max, bool gathered_log, Metrics& metrics)
    : path_(path),
      metrics_(metrics),
      queue_(queued_max),
      reserve_(path),
      connection_(path, SqliteConnection::Role::writer, gathered_log ? log_.name() : nullptr),
      log_pages_limit_(log_pages_max(disk_space(path))),
      checkpoint_at_(log_pages_limit_),
      thread_([this] { work(); }) {}

SqliteWriter::~SqliteWriter() {
  queue_.close();
  thread_.join();
}

void SqliteWriter::work() {
  sqlite3_wal_hook(connection_.handle(), after_commit, this);
  sqlite3_rollback_hook(
      connection_.handle(), [](void* log) { static_cast<GatheredLog*>(log)->discard(); }, &log_);
  while (!queue_.drained()) {
    auto timeout = checkpointed_ ? std::nullopt : std::optional(idle_before_checkpoint);
    std::vector<Job*> batch = queue_.pop_some(batch_jobs_max, timeout);
    if (batch.empty()) {
      if (!checkpointed_) checkpoint();
      continue;
    }
    const auto now = std::chrono::steady_clock::now();
    for (const Job* job : batch) metrics_.started(*job, now);
    if (has_space()) {
      commit_together(batch);
    } else {
      fail_all(batch);
    }
    finish_jobs(batch);
    if (connection_.take_disk_full()) make_space();
    look_at_disk();
    if (log_pages_ >= checkpoint_at_) checkpoint();
  }
}

void SqliteWriter::commit_together(std::span<Job* const> batch) {
  try {
    if (careful_batches_ == 0 && commit_plainly(batch)) return;
    careful_batches_ = careful_batches_ == 0 ? careful_after_failure : careful_batches_ - 1;
    connection_.run(begin_sql);
    for (Job* job : batch) run_in_savepoint(*job);
    commit(batch);
  } catch (...) {
    fail_all(batch);
  }
}

bool SqliteWriter::commit_plainly(std::span<Job* const> batch) {
  connection_.run(begin_sql);
  try {
    for (Job* job : batch) run_body(*job);
  } catch (...) {
    if (connection_.in_transaction()) connection_.run(roll_back_sql);
    return false;
  }
  commit(batch);
  return true;
}

void SqliteWriter::commit(std::span<Job* const> batch) {
  connection_.run(commit_sql);
  commits_.fetch_add(1, std::memory_order_release);
  last_commit_.succeeded();
  metrics_.commits.add();
  metrics_.committed.add(batch.size());
  for (Job* job : batch) {
    if (job->error) continue;
    for (const auto& action : job->after_commit) action();
  }
}

void SqliteWriter::run_body(Job& job) {
  if (job.waiter.is_closing()) {
    job.error = std::make_exception_ptr(unavailable("The service is shutting down."));
    return;
  }
  SqliteTx tx(connection_);
  job.run(tx);
  tx.check();
  job.after_commit = tx.take_after_commit();
  job.error = nullptr;
}

void SqliteWriter::run_in_savepoint(Job& job) {
  for (int attempt = 1; attempt <= attempts_max; ++attempt) {
    bool race = false;
    connection_.run(savepoint_sql);
    try {
      run_body(job);
      connection_.run(release_sql);
      return;
    } catch (const WriteRace&) {
      race = true;
      metrics_.races.add();
      job.error = std::make_exception_ptr(unavailable("The record is being changed by too many at once."));
    } catch (...) {
      job.error = std::current_exception();
    }
    if (!connection_.in_transaction()) throw std::runtime_error("SQLite rolled back the whole batch");
    connection_.run(roll_back_body_sql);
    connection_.run(release_sql);
    if (!race) return;
  }
}

// Also fails jobs whose own body had failed, because it may have failed on a row of another job that is now rolled
// back.
void SqliteWriter::fail_all(std::span<Job* const> batch) {
  last_commit_.failed();
  for (Job* job : batch) {
    job->error = std::make_exception_ptr(unavailable("The database could not commit; nothing was changed."));
  }
  if (!connection_.in_transaction()) return;
  try {
    connection_.run(roll_back_sql);
  } catch (const std::exception& error) {
    log::error("SQLite could not roll back", {{"error", error.what()}});
  }
}

int SqliteWriter::move_pages(int mode) {
  int in_log = 0;
  int moved = 0;
  const int code = sqlite3_wal_checkpoint_v2(connection_.handle(), "main", mode, &in_log, &moved);
  check_sync(code);
  return code;
}

// Returns false when the disk is full, so that nothing may be written.
bool SqliteWriter::has_space() {
  if (!disk_is_full_ && reserve_.hold()) return true;
  if (!disk_is_full_ || log_pages_ > 0) make_space();
  disk_is_full_ = !reserve_.hold() || !reserve_.leaves_room();
  return !disk_is_full_;
}

void SqliteWriter::make_space() {
  log::error("The disk is full: writes are refused until there is space", {{"file", path_}});
  disk_is_full_ = true;
  reserve_.release();
  // Also truncates the log. Readers may prevent that, but must not keep the writer waiting for long.
  sqlite3_busy_timeout(connection_.handle(), full_disk_busy_ms_max);
  const int code = move_pages(SQLITE_CHECKPOINT_TRUNCATE);
  sqlite3_busy_timeout(connection_.handle(), busy_ms_max);
  reserve_.hold();
  if (code != SQLITE_OK) return;
  log_pages_ = 0;
  checkpoint_at_ = log_pages_limit_;
}

void SqliteWriter::look_at_disk() {
  const DiskSpace space = disk_space(path_);
  const int limit = log_pages_max(space);
  if (limit < log_pages_limit_) checkpoint_at_ = std::min(checkpoint_at_, limit);
  log_pages_limit_ = limit;
  if (space.is_low() && !disk_is_low_) {
    log::warn("The disk of the database is nearly full", {{"free_bytes", space.free}, {"file", path_}});
  }
  disk_is_low_ = space.is_low();
}

void SqliteWriter::checkpoint() {
  const int code = move_pages(SQLITE_CHECKPOINT_PASSIVE);
  if (is_disk_full(code)) make_space();
  if (code != SQLITE_OK) log::warn("SQLite could not checkpoint", {{"code", code}});
  checkpoint_at_ = log_pages_ + log_pages_limit_ / tries_a_log;
  // When only a reader prevented it, trying again before the next commit is useless: the pages are moved after that.
  checkpointed_ = true;
}

int SqliteWriter::after_commit(void* writer, sqlite3* /*db*/, const char* /*schema*/, int log_pages) {
  auto* self = static_cast<SqliteWriter*>(writer);
  if (log_pages < self->log_pages_) self->checkpoint_at_ = self->log_pages_limit_;  // SQLite has restarted the log
  self->log_pages_ = log_pages;
  self->checkpointed_ = false;
  return SQLITE_OK;
}

}  // namespace guildhall
