#pragma once

#include <atomic>
#include <span>
#include <thread>

#include "storage/job_queue.h"
#include "storage/last_commit.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/gathered_log.h"
#include "storage/sqlite/reserve_file.h"

namespace guildhall {

// The one thread that writes. It owns the only writing connection, commits all that is queued together, and
// does every checkpoint. When the disk is full, it gives the reserve back, moves the log's pages to the database file
// with that space, and refuses writes until there is a reserve again.
class SqliteWriter {
 public:
  SqliteWriter(const std::string& path, int queued_max);
  // Finishes what is queued.
  ~SqliteWriter();

  JobQueue& queue() { return queue_; }

  // How often it has committed; counted up before the jobs learn their fate.
  const std::atomic<std::uint64_t>& commits() const { return commits_; }
  const LastCommit& last_commit() const { return last_commit_; }

  // False while writes are refused because the disk is full.
  bool has_reserve() const { return reserve_.is_held(); }

 private:
  void work();
  // Runs the jobs and commits them as one transaction. Jobs learn their fate from finish().
  void commit_together(std::span<Job* const> batch);
  // Without savepoints, which cost as much as all else: SQLite copies every page that is touched in one. False: a job
  // has failed, and nothing is changed; now each needs one, so that the others get through.
  bool commit_plainly(std::span<Job* const> batch);
  void commit();
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
  JobQueue queue_;
  ReserveFile reserve_;
  GatheredLog log_;
  SqliteConnection connection_;
  int log_pages_ = 0;    // in the write-ahead log after the last commit
  int log_pages_limit_;  // depends on the free disk space
  int checkpoint_at_;    // the next one without waiting for idleness
  bool disk_is_low_ = false;
  bool checkpointed_ = true;
  int careful_batches_ = 0;  // how many are still to use savepoints from the start
  std::atomic<std::uint64_t> commits_ = 0;
  LastCommit last_commit_;
  std::thread thread_;
};

}  // namespace guildhall
