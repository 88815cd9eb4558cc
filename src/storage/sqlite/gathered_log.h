#pragma once

#include <sqlite3.h>
#include <string>

namespace guildhall {

// How the writer's connection writes its log. SQLite writes every page in two pieces; these are gathered and go to the
// file together, at the latest when it is synced: a commit takes one system call instead of a hundred. That is before
// anybody learns of the commit, SQLite's readers included, as long as every commit is synced as a whole: with
// `synchronous = FULL` and on a disk whose writes leave the bytes around them alone, which SQLite takes for granted.
class GatheredLog {
 public:
  GatheredLog();
  GatheredLog(const GatheredLog&) = delete;
  GatheredLog& operator=(const GatheredLog&) = delete;
  ~GatheredLog();

  // For sqlite3_open_v2 of one connection, while this object lives.
  const char* name() const { return name_.c_str(); }

  // To be called when a transaction was rolled back: what it has left is nothing that should ever be written.
  void discard() { pages_.bytes.clear(); }

  struct Pages {
    sqlite3_vfs* system;  // whose files are written
    std::string bytes;
    sqlite3_int64 at = 0;  // their place in the log

    sqlite3_int64 end() const { return at + static_cast<sqlite3_int64>(bytes.size()); }
  };

 private:
  std::string name_;
  Pages pages_;
  sqlite3_vfs vfs_;
};

}  // namespace guildhall
