#pragma once

#include <sqlite3.h>
#include <string>

namespace guildhall {

// How the writer's connection writes its log. SQLite writes every page in two pieces; these are gathered and go to the
// file together, at the latest when it is synced: a commit takes one system call instead of a hundred. That is before
// anybody learns of the commit, SQLite's readers included, as long as every commit is synced (`synchronous = FULL`).
class GatheredLog {
 public:
  GatheredLog();
  GatheredLog(const GatheredLog&) = delete;
  GatheredLog& operator=(const GatheredLog&) = delete;
  ~GatheredLog();

  // For sqlite3_open_v2, while this object lives.
  const char* name() const { return name_.c_str(); }

 private:
  std::string name_;
  sqlite3_vfs vfs_;
};

}  // namespace guildhall
