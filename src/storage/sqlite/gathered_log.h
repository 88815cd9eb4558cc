#pragma once

#include <sqlite3.h>
#include <string>

namespace guildhall {

// A SQLite VFS for the writer's connection that buffers writes to the write-ahead log. SQLite writes every page in two
// pieces; these are buffered and written together, at the latest when the log is synced, so that a commit takes one
// system call instead of a hundred. The sync happens before the commit becomes visible to SQLite's readers or is
// acknowledged, provided that every commit is synced as a whole: with `synchronous = FULL` and on a disk where a write
// does not change the bytes around it, which SQLite assumes by default.
class GatheredLog {
 public:
  GatheredLog();
  GatheredLog(const GatheredLog&) = delete;
  GatheredLog& operator=(const GatheredLog&) = delete;
  ~GatheredLog();

  // The VFS name for sqlite3_open_v2 of one connection, which must be closed before this object is destroyed.
  const char* name() const { return name_.c_str(); }

  // Drops the buffered pages. To be called when a transaction was rolled back, because its pages must never be written.
  void discard() { pages_.bytes.clear(); }

  struct Pages {
    sqlite3_vfs* system;  // the VFS that writes the files
    std::string bytes;
    sqlite3_int64 at = 0;  // the offset of `bytes` in the log

    sqlite3_int64 end() const { return at + static_cast<sqlite3_int64>(bytes.size()); }
  };

 private:
  std::string name_;
  Pages pages_;
  sqlite3_vfs vfs_;
};

}  // namespace guildhall
