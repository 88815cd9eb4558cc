#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <sys/stat.h>

#include "base/encoding.h"
#include "storage/sqlite/engine.h"
#include "storage/sqlite/transaction.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

const Sql begin_snapshot_sql{"BEGIN"};
const Sql first_page_sql{"SELECT COUNT(*) FROM sqlite_master"};

// Properties of the file that change whenever the file is written.
struct FileState {
  bool has_log = false;
  std::int64_t bytes = 0;
  std::int64_t seconds = 0, nanoseconds = 0;
  bool operator==(const FileState&) const = default;
};

FileState state_of(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) {
    throw std::runtime_error(fmt::format("There is no database file {}.", path));
  }
  return {fs::exists(path + "-wal"), found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

std::string uri_of(const std::string& path, bool immutable) {
  std::string uri = "file:";
  for (const char c : path) {
    const bool reserved = c == '%' || c == '?' || c == '#';
    uri += reserved ? "%" + hex(std::string_view(&c, 1)) : std::string(1, c);
  }
  return uri + (immutable ? "?immutable=1" : "?mode=ro");
}

// A server that is running, or that crashed, has a log beside the file, and SQLite's own locks protect a reader's
// snapshot. After a server was stopped there is no log, and SQLite would create one for a reader. Such a file is
// therefore opened as immutable, and afterwards it is verified that it has not changed.
class SqliteReadOnly : public ReadOnlyDatabase {
 public:
  explicit SqliteReadOnly(std::string path) : path_(std::move(path)) { state_of(path_); }

  void read(FunctionRef<void(Tx&)> body) override {
    const FileState before = state_of(path_);
    SqliteConnection connection = begin(!before.has_log);
    SqliteTx tx(connection);
    body(tx);
    tx.check();
    if (!before.has_log && state_of(path_) != before) {
      throw std::runtime_error(
          fmt::format("A server has started to use {} meanwhile: please run the command again.", path_));
    }
  }

  std::string name() const override { return "sqlite"; }

 private:
  // A connection whose snapshot has begun.
  SqliteConnection begin(bool immutable) const {
    try {
      SqliteConnection connection(uri_of(path_, immutable), SqliteConnection::Role::inspector);
      connection.run(begin_snapshot_sql);
      connection.run(first_page_sql);
      return connection;
    } catch (const std::exception& error) {
      throw std::runtime_error(fmt::format("{} cannot be read as a database: {}", path_, error.what()));
    }
  }

  std::string path_;
};

}  // namespace

std::unique_ptr<ReadOnlyDatabase> open_sqlite_read_only(const std::string& path) {
  return std::make_unique<SqliteReadOnly>(fs::weakly_canonical(fs::absolute(path)).string());
}

}  // namespace guildhall
