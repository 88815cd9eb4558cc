// The ceiling of durable writes on SQLite: one thread, prepared statements, and nothing but the rows that one request
// writes, 64 requests' rows to a commit, as 64 connections would give a perfect group commit. Prints requests per
// second.
//   sqlite_ceiling <database file> <schema.sql> <rows.sql> <seconds>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sqlite3.h>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int requests_a_commit = 64;

void check(int code, sqlite3* db) {
  if (code == SQLITE_OK || code == SQLITE_DONE) return;
  std::fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(db));
  std::exit(1);
}

std::string text_of(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void execute(sqlite3* db, const char* sql) {
  check(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), db);
}

std::vector<sqlite3_stmt*> prepare(sqlite3* db, const std::string& script) {
  std::vector<sqlite3_stmt*> statements;
  for (const char* rest = script.c_str(); *rest != '\0';) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v3(db, rest, -1, SQLITE_PREPARE_PERSISTENT, &statement, &rest), db);
    if (statement != nullptr) statements.push_back(statement);  // null: only a comment was left
  }
  return statements;
}

void run(sqlite3* db, sqlite3_stmt* statement, long number) {
  char id[40];
  const int length =
      std::snprintf(id, sizeof(id), "01a1df9e-316f-70ce-bda9-%012lx", static_cast<unsigned long>(number));
  const int id_at = sqlite3_bind_parameter_index(statement, ":id");
  const int number_at = sqlite3_bind_parameter_index(statement, ":n");
  const int slot_at = sqlite3_bind_parameter_index(statement, ":slot");
  if (id_at > 0) check(sqlite3_bind_text(statement, id_at, id, length, SQLITE_STATIC), db);
  if (number_at > 0) check(sqlite3_bind_int64(statement, number_at, 1'794'753'048'943 + number), db);
  if (slot_at > 0) check(sqlite3_bind_int64(statement, slot_at, 0), db);
  int code = SQLITE_ROW;
  while (code == SQLITE_ROW) code = sqlite3_step(statement);
  check(code, db);
  check(sqlite3_reset(statement), db);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  sqlite3* db = nullptr;
  check(sqlite3_open(argv[1], &db), db);
  execute(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=8000;");
  execute(db, text_of(argv[2]).c_str());
  const auto statements = prepare(db, text_of(argv[3]));

  const auto start = std::chrono::steady_clock::now();
  const std::chrono::duration<double> wanted(std::atof(argv[4]));
  long requests = 0;
  while (std::chrono::steady_clock::now() - start < wanted) {
    execute(db, "BEGIN IMMEDIATE");
    for (int i = 0; i < requests_a_commit; ++i, ++requests) {
      for (sqlite3_stmt* statement : statements) run(db, statement, requests);
    }
    execute(db, "COMMIT");
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%.0f\n", static_cast<double>(requests) / took.count());
  for (sqlite3_stmt* statement : statements) sqlite3_finalize(statement);
  sqlite3_close(db);
  return 0;
}
