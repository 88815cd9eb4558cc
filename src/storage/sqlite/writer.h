#pragma once

#include <atomic>
#include <span>
#include <thread>

#include "storage/job_queue.h"
#include "storage/last_commit.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/gathered_log.h"
#include "storage/sqlite/reserve_file.h"
#include "storage/storage_metrics.h"

namespace guildhall {

// The only thread that writes. It owns the writing connection, commits all queued jobs as one transaction (group
// commit), and does every checkpoint. When the disk is full, it frees the reserve file, moves the log's pages to the
// database file with that space, and refuses writes until there is space for a new reserve file and more.
class SqliteWriter {
 public:
  SqliteWriter(const std::string& path, int queued_max, bool gathered_log, Metrics& metrics);
  // Finishes the queued jobs.
  ~SqliteWriter();

  JobQueue& queue() { return queue_; }

  // The number of commits, incremented before the jobs of a commit are finished.
  const std::atomic<std::uint64_t>& commits() const { return commits_; }
  const LastCommit& last_commit() const { return last_commit_; }

  // True while writes are refused because the disk is full.
  bool refuses_writes() const { return disk_is_full_; }

 private:
  void work();
  // Runs the jobs and commits them as one transaction. The caller has to finish the jobs.
  void commit_together(std::span<Job* const> batch);
  // Runs the jobs without savepoints, which would double the cost: SQLite copies every page that is changed inside one.
  // Returns false when a job has failed and everything was rolled back; then each job needs a savepoint, so that the
  // others succeed.
  bool commit_plainly(std::span<Job* const> batch);
  void commit(std::span<Job* const> batch);
  void run_body(Job& job);
  void run_in_savepoint(Job& job);
  void fail_all(std::span<Job* const> batch);
  void checkpoint();
  int move_pages(int mode);
  bool has_space();
  void make_space();
  void look_at_disk();
  static int after_commit(void* writer, sqlite3* db, const char* schema, int log_pages);

  const std::string path_;
  TransactionMetrics metrics_;
  JobQueue queue_;
  ReserveFile reserve_;
  GatheredLog log_;
  SqliteConnection connection_;
  int log_pages_ = 0;    // the number of pages in the write-ahead log after the last commit
  int log_pages_limit_;  // depends on the free disk space
  int checkpoint_at_;    // at this number of pages it checkpoints without waiting until it is idle
  bool disk_is_low_ = false;
  std::atomic<bool> disk_is_full_ = false;
  bool checkpointed_ = true;
  int careful_batches_ = 0;  // the number of batches that will use savepoints from the start
  std::atomic<std::uint64_t> commits_ = 0;
  LastCommit last_commit_;
  std::thread thread_;
};

}  // namespace guildhall
