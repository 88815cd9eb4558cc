#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/storage.h"

namespace guildhall {

struct Migration {
  int number;
  std::string_view name;  // 0001_foundation
  std::string_view sql;
};

// The files of migrations/, built into the binary, in order. Both engines run the same text, so a file
// - contains no BEGIN or COMMIT, because it runs inside a transaction;
// - names its constraints, a primary key `<table>_pkey`, and declares unique keys with CREATE UNIQUE INDEX, because
//   SQLite does not keep the name of a UNIQUE inside CREATE TABLE;
// - has at most one unique index on the same columns of a table, because SQLite reports only the columns;
// - defers no constraint: on SQLite a violation at the commit would fail all transactions of the group commit;
// - only adds (CONTRIBUTING.md, "A migration"), so that the previous release can go on using the database. A migration
//   that removes or restricts something has a name that says so: is_contract().
std::span<const Migration> migrations();

// True for 0031_contract_…: a program that does not know this migration cannot use the database after it. All other
// migrations only add to the schema, so an older program and a newer one can use the database at the same time.
bool is_contract(std::string_view name);

// Applies the missing migrations, forward only, each in one transaction with its record and checksum. Safe when several
// nodes start at once. Throws std::runtime_error with a sentence for the operator when the text of an applied migration
// has changed, or when a newer program has applied a contract migration. Returns the number of migrations applied. If
// there were others before, it collects statistics afterwards.
int migrate(Storage& storage, std::span<const Migration> steps = migrations());

// PostgreSQL: divides the tables by tenant into this many parts. Throws std::runtime_error with a sentence for the
// operator if one of them has rows.
void partition(Storage& storage, std::span<const std::string_view> tables, int count);

// PostgreSQL: collects the statistics of all tables, from which the server makes its query plans. To be called after
// many rows were written at once: otherwise the server knows nothing about them until its autovacuum has run. Does
// nothing on SQLite, which plans without statistics.
void collect_statistics(Storage& storage);

// The same for those tables with more than a few rows that never had statistics. Takes next to no time if there are
// none. A new database needs it soon: until then the server takes its tables for small, and a page of a list reads all
// rows of the tenant.
void collect_missing_statistics(Storage& storage);

// The difference between the schema of a database and the migrations that this binary contains. The names of migrations
// are in order.
struct SchemaState {
  bool empty = false;  // the database has no table
  bool ours = false;   // the table of applied migrations exists
  std::vector<std::string> pending;
  std::vector<std::string> unknown;  // applied by a newer program
  bool is_too_new() const { return std::any_of(unknown.begin(), unknown.end(), is_contract); }
  std::vector<std::string> changed;  // applied with another text
  std::int64_t newest_at = 0;        // when the last migration was applied, in milliseconds since 1970
};

// Only reads. `engine` is the storage's name().
SchemaState schema_state(Tx& tx, std::string_view engine, std::span<const Migration> steps = migrations());

}  // namespace guildhall
