// The ceiling of durable writes on SQLite: one thread, prepared statements, and nothing but the rows that creating a
// customer writes (the customer and its audit row), 64 of them to a commit, as 64 connections would give a perfect
// group commit. Prints customers per second.
//   sqlite_ceiling <database file> <schema.sql> <seconds>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sqlite3.h>
#include <sstream>
#include <string>

namespace {

constexpr int rows_a_commit = 64;

void check(int code, sqlite3* db) {
  if (code == SQLITE_OK || code == SQLITE_DONE) return;
  std::fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(db));
  std::exit(1);
}

void execute(sqlite3* db, const char* sql) {
  check(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), db);
}

sqlite3_stmt* prepare(sqlite3* db, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr), db);
  return statement;
}

// Binds the number as text to the first parameter and as an integer to the second, and runs.
void insert(sqlite3* db, sqlite3_stmt* statement, long number) {
  char id[40];
  const int length =
      std::snprintf(id, sizeof(id), "01a1df9e-316f-70ce-bda9-%012lx", static_cast<unsigned long>(number));
  check(sqlite3_bind_text(statement, 1, id, length, SQLITE_STATIC), db);
  check(sqlite3_bind_int64(statement, 2, 1'794'753'048'943 + number), db);
  check(sqlite3_step(statement), db);
  check(sqlite3_reset(statement), db);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  sqlite3* db = nullptr;
  check(sqlite3_open(argv[1], &db), db);
  execute(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=8000;");
  std::ostringstream schema;
  schema << std::ifstream(argv[2]).rdbuf();
  execute(db, schema.str().c_str());

  sqlite3_stmt* customer = prepare(
      db,
      "INSERT INTO customers (id, tenant_id, chat_id, chat_username, chat_display_name, source, is_active, addresses,"
      " created_at, updated_at, version) VALUES (?1, 'default', ?1, 'bench', 'Bench', 'CHAT', 1, '[]', ?2, ?2, 1)"
      " ON CONFLICT (tenant_id, chat_id) DO NOTHING");
  sqlite3_stmt* audit = prepare(
      db,
      "INSERT INTO audit_entries (id, tenant_id, at, actor_kind, actor_id, request_id, subject, subject_id, action,"
      " changes) VALUES (?1, 'default', ?2, 'USER', '01a1df9e-354c-736d-bacb-5c54450ad806',"
      " '01a1df9e-36b1-7104-92f3-793d26fc3e31', 'customer', ?1, 'created',"
      " '{\"chatId\":{\"before\":null,\"after\":\"0-000000000001\"},\"chatUsername\":{\"before\":null,\"after\":"
      "\"bench\"},"
      "\"chatDisplayName\":{\"before\":null,\"after\":\"Bench\"},\"source\":{\"before\":null,\"after\":\"CHAT\"},"
      "\"isActive\":{\"before\":null,\"after\":true},\"addresses\":{\"before\":null,\"after\":[]}}')");

  const auto start = std::chrono::steady_clock::now();
  const std::chrono::duration<double> wanted(std::atof(argv[3]));
  long rows = 0;
  while (std::chrono::steady_clock::now() - start < wanted) {
    execute(db, "BEGIN IMMEDIATE");
    for (int i = 0; i < rows_a_commit; ++i, ++rows) {
      insert(db, customer, rows);
      insert(db, audit, rows);
    }
    execute(db, "COMMIT");
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%.0f\n", static_cast<double>(rows) / took.count());
  sqlite3_finalize(customer);
  sqlite3_finalize(audit);
  sqlite3_close(db);
  return 0;
}
