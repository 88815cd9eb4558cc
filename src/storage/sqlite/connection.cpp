#include "storage/sqlite/connection.h"

#include "storage/params.h"
#include "storage/slow_statements.h"
#include "storage/sqlite/errors.h"

namespace guildhall {
namespace {

class SqliteRow : public Row {
 public:
  explicit SqliteRow(sqlite3_stmt* statement) : statement_(statement) {}

  bool is_null(int column) const override { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  bool boolean(int column) const override { return sqlite3_column_int(statement_, column) != 0; }
  std::int64_t integer(int column) const override { return sqlite3_column_int64(statement_, column); }
  double real(int column) const override { return sqlite3_column_double(statement_, column); }
  std::string_view text(int column) const override {
    const unsigned char* bytes = sqlite3_column_text(statement_, column);
    if (bytes == nullptr) return {};
    return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }

 private:
  sqlite3_stmt* statement_;
};

// A statement that is not reset keeps its snapshot open, which keeps the log from being checkpointed.
class Running {
 public:
  explicit Running(sqlite3_stmt* statement) : statement_(statement) {}
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() { sqlite3_reset(statement_); }

 private:
  sqlite3_stmt* statement_;
};

int bind_value(sqlite3_stmt* statement, int position, const Value& value) {
  struct Bind {
    sqlite3_stmt* statement;
    int position;
    int operator()(std::monostate) const { return sqlite3_bind_null(statement, position); }
    int operator()(bool flag) const { return sqlite3_bind_int(statement, position, flag ? 1 : 0); }
    int operator()(std::int64_t number) const { return sqlite3_bind_int64(statement, position, number); }
    int operator()(double number) const { return sqlite3_bind_double(statement, position, number); }
    int operator()(const std::string& text) const {
      // The query outlives the run, so SQLite need not copy the text.
      return sqlite3_bind_text64(statement, position, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
    }
  };
  return std::visit(Bind{statement, position}, value);
}

// Only the writer checkpoints: before SQLite 3.51.3, two connections that did so at once could corrupt the file.
// The size of a page is set when the file is new. A small transaction changes a few rows in each of many pages, so
// smaller pages write less; with 1 KiB lists became slower.
constexpr const char* writer_settings =
    "PRAGMA page_size = 2048;"
    "PRAGMA busy_timeout = 5000;"
    "PRAGMA journal_mode = WAL;"
    "PRAGMA wal_autocheckpoint = 0;"
    "PRAGMA journal_size_limit = 67108864;"  // a log that has grown is truncated when SQLite restarts it
    "PRAGMA synchronous = FULL;"
    "PRAGMA foreign_keys = ON;"
    "PRAGMA trusted_schema = OFF;"
    "PRAGMA temp_store = MEMORY;"
    "PRAGMA cache_size = -16000;";

constexpr const char* reader_settings =
    "PRAGMA busy_timeout = 1000;"
    "PRAGMA query_only = ON;"
    "PRAGMA trusted_schema = OFF;"
    "PRAGMA temp_store = MEMORY;"
    "PRAGMA cache_size = -8000;";

const Sql journal_mode{"PRAGMA journal_mode"};

}  // namespace

SqliteConnection::SqliteConnection(const std::string& path, Role role, const char* vfs) {
  sqlite3* raw = nullptr;
  const int access = role == Role::inspector ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE;
  const int flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  int code = sqlite3_open_v2(path.c_str(), &raw, flags, vfs);
  db_.reset(raw);
  if (code != SQLITE_OK) {
    throw std::runtime_error(fmt::format("The database file {} cannot be opened: {}.", path, sqlite3_errstr(code)));
  }
  if (role != Role::writer) {
    sqlite3_db_config(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    run_script(reader_settings);
    return;
  }
  run_script(writer_settings);
  run({&journal_mode, {}}, [&](const Row& row) {
    if (row.text(0) != "wal") {
      throw std::runtime_error(fmt::format("The database file {} cannot use a write-ahead log.", path));
    }
  });
}

std::int64_t SqliteConnection::run(const Query& query, RowSink sink) {
  check_text(query);
  const StatementTimer timer;
  Statement& statement = prepared(*query.sql);
  bind(statement, query);
  Running running(statement.handle.get());
  SqliteRow row(statement.handle.get());
  std::int64_t rows = 0;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement.handle.get())) == SQLITE_ROW) {
    ++rows;
    sink(row);
  }
  if (code != SQLITE_DONE) {
    disk_full_ = disk_full_ || is_disk_full(code);
    throw_sqlite_error(db_.get(), query.sql->text);
  }
  timer.ended(query.sql->text);
  return statement.columns > 0 ? rows : sqlite3_changes64(db_.get());
}

void SqliteConnection::run_script(const std::string& statements) {
  if (sqlite3_exec(db_.get(), statements.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw_sqlite_error(db_.get(), "(script)");
  }
}

SqliteConnection::Statement& SqliteConnection::prepared(const Sql& sql) {
  auto found = statements_.find(&sql);
  if (found != statements_.end()) return found->second;

  sqlite3_stmt* raw = nullptr;
  int code = sqlite3_prepare_v3(db_.get(), sql.text.c_str(), static_cast<int>(sql.text.size()) + 1,
                                SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  if (code != SQLITE_OK) throw_sqlite_error(db_.get(), sql.text);
  Statement statement;
  statement.handle.reset(raw);
  statement.columns = sqlite3_column_count(raw);
  // SQLite numbers parameters in the order of their first use, so `$2 … $1` must be bound by name.
  int count = sqlite3_bind_parameter_count(raw);
  for (int n = 1; n <= count; ++n) {
    statement.positions.push_back(sqlite3_bind_parameter_index(raw, fmt::format("${}", n).c_str()));
  }
  return statements_.emplace(&sql, std::move(statement)).first->second;
}

void SqliteConnection::bind(const Statement& statement, const Query& query) {
  if (query.params.size() != statement.positions.size()) {
    throw std::logic_error(fmt::format("{} parameters given for: {}", query.params.size(), query.sql->text));
  }
  for (std::size_t i = 0; i < query.params.size(); ++i) {
    if (bind_value(statement.handle.get(), statement.positions[i], query.params[i]) != SQLITE_OK) {
      throw_sqlite_error(db_.get(), query.sql->text);
    }
  }
}

}  // namespace guildhall
