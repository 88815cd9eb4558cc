#pragma once

#include <memory>
#include <sqlite3.h>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "storage/database.h"

namespace guildhall {

// One connection to the database file, with its prepared statements. Used by one thread at a time.
class SqliteConnection {
 public:
  // An `inspector` opens a file read-only that another process may be using; its path is a URI (`file:…`).
  enum class Role { writer, reader, inspector };

  // `vfs` is the name of the SQLite VFS to use; null stands for the default one.
  SqliteConnection(const std::string& path, Role role, const char* vfs = nullptr);

  // Runs a statement; returns the number of rows returned or changed.
  std::int64_t run(const Query& query, RowSink sink);
  std::int64_t run(const Sql& sql) {
    return run({&sql, {}}, [](const Row&) {});
  }

  // Runs several statements without parameters.
  void run_script(const std::string& statements);

  // False when SQLite has rolled back by itself, as it does when the disk is full.
  bool in_transaction() const { return sqlite3_get_autocommit(db_.get()) == 0; }

  // True when a statement has failed since the last call because the disk is full.
  bool take_disk_full() { return std::exchange(disk_full_, false); }

  sqlite3* handle() { return db_.get(); }

 private:
  struct Statement {
    std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> handle{nullptr, sqlite3_finalize};
    std::vector<int> positions;  // SQLite's numbers for $1, $2 …
    int columns = 0;
  };

  Statement& prepared(const Sql& sql);
  void bind(const Statement& statement, const Query& query);

  std::unique_ptr<sqlite3, int (*)(sqlite3*)> db_{nullptr, sqlite3_close};
  std::unordered_map<const Sql*, Statement> statements_;
  bool disk_full_ = false;
};

}  // namespace guildhall
