#pragma once

#include <atomic>
#include <functional>
#include <sqlite3.h>

// For tests: while one exists, SQLite files opened by this process stand on a disk whose writes and syncs of the
// write-ahead log can be made to fail.
namespace guildhall::test {

class FaultyDisk {
 public:
  FaultyDisk();
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;
  ~FaultyDisk();

  // What writing or syncing the log returns; SQLITE_OK: it is done.
  std::atomic<int> write_result = SQLITE_OK;
  std::atomic<int> sync_result = SQLITE_OK;
  // Called before each sync of the log, by the thread that syncs. Set it while nothing is written.
  std::function<void()> before_sync = [] {};

 private:
  sqlite3_vfs vfs_;
};

}  // namespace guildhall::test
