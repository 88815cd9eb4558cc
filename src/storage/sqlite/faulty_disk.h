#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <sqlite3.h>

// For tests: while one exists, this process opens SQLite files on a disk whose writes and syncs of the write-ahead log
// can be made to fail.
namespace guildhall::test {

class FaultyDisk {
 public:
  FaultyDisk();
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;
  ~FaultyDisk();

  // The result of writing or syncing the log; with SQLITE_OK it is done.
  std::atomic<int> write_result = SQLITE_OK;
  std::atomic<int> sync_result = SQLITE_OK;

  // `hook` is called before each sync of the log, by the thread that syncs. The former one is not running any more when
  // this returns.
  void set_before_sync(std::function<void()> hook);
  void before_sync();

 private:
  std::mutex mutex_;
  std::function<void()> before_sync_ = [] {};
  sqlite3_vfs vfs_;
};

}  // namespace guildhall::test
