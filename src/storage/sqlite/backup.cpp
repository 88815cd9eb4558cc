#include "storage/backup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <sqlite3.h>
#include <stdexcept>
#include <unistd.h>

#include "base/encoding.h"

namespace guildhall {
namespace {

constexpr int pages_a_step = 1'000;

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
using Handle = std::unique_ptr<sqlite3, Close>;

// A path as a URI, so that it can be opened as immutable.
std::string uri_of(const std::string& path, std::string_view parameters) {
  std::string uri = "file:";
  for (const char c : path) {
    const bool reserved = c == '%' || c == '?' || c == '#';
    uri += reserved ? "%" + hex(std::string_view(&c, 1)) : std::string(1, c);
  }
  return uri.append(parameters);
}

Handle opened(const std::string& uri, int flags) {
  sqlite3* database = nullptr;
  const int result = sqlite3_open_v2(uri.c_str(), &database, flags | SQLITE_OPEN_URI, nullptr);
  Handle handle(database);
  if (result != SQLITE_OK) throw std::runtime_error(fmt::format("{}: {}.", uri, sqlite3_errstr(result)));
  sqlite3_busy_timeout(database, 10'000);
  return handle;
}

void execute(sqlite3* database, const char* sql) {
  if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK) return;
  throw std::runtime_error(fmt::format("The database cannot be read: {}.", sqlite3_errmsg(database)));
}

std::string first_value(sqlite3* database, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) != SQLITE_OK) return sqlite3_errmsg(database);
  const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> kept(statement, sqlite3_finalize);
  if (sqlite3_step(statement) != SQLITE_ROW) return sqlite3_errmsg(database);
  const unsigned char* text = sqlite3_column_text(statement, 0);
  return text != nullptr ? reinterpret_cast<const char*>(text) : "";
}

// The file must exist with the right mode before SQLite opens it.
void create_private_file(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) throw std::runtime_error(fmt::format("{} cannot be created.", path.string()));
  ::close(file);
}

}  // namespace

void copy_sqlite(const std::string& path, const std::filesystem::path& target,
                 FunctionRef<void(std::int64_t done, std::int64_t total)> progress) {
  if (!std::filesystem::exists(path)) throw std::runtime_error(fmt::format("There is no database file {}.", path));
  // Without a log no server uses the file, and SQLite would create a log for a reader.
  const bool has_log = std::filesystem::exists(path + "-wal");
  const Handle from = opened(uri_of(path, has_log ? "?mode=ro" : "?immutable=1"), SQLITE_OPEN_READONLY);
  // One transaction for all steps: the copy is one snapshot, and a write of the server does not make it begin again.
  execute(from.get(), "BEGIN");
  execute(from.get(), "SELECT COUNT(*) FROM sqlite_master");
  create_private_file(target);
  const Handle to = opened(uri_of(target.string(), ""), SQLITE_OPEN_READWRITE);
  const std::int64_t page_bytes = std::stoll(first_value(from.get(), "PRAGMA page_size"));
  const std::unique_ptr<sqlite3_backup, decltype(&sqlite3_backup_finish)> backup(
      sqlite3_backup_init(to.get(), "main", from.get(), "main"), sqlite3_backup_finish);
  if (backup == nullptr) throw std::runtime_error(fmt::format("{}: {}.", target.string(), sqlite3_errmsg(to.get())));
  int result = SQLITE_OK;
  while (result == SQLITE_OK || result == SQLITE_BUSY) {
    result = sqlite3_backup_step(backup.get(), pages_a_step);
    const std::int64_t total = sqlite3_backup_pagecount(backup.get());
    progress((total - sqlite3_backup_remaining(backup.get())) * page_bytes, total * page_bytes);
  }
  if (result != SQLITE_DONE) throw std::runtime_error(fmt::format("The copy has failed: {}.", sqlite3_errstr(result)));
}

void check_sqlite(const std::filesystem::path& file) {
  const Handle database = opened(uri_of(file.string(), "?immutable=1"), SQLITE_OPEN_READONLY);
  const std::string found = first_value(database.get(), "PRAGMA integrity_check");
  if (found != "ok") throw std::runtime_error(fmt::format("The copy of the database is damaged: {}.", found));
}

}  // namespace guildhall
