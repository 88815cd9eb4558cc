#pragma once

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

// The files of migrations/, built into the binary, in order. So that both engines agree, a file
// - holds no BEGIN or COMMIT of its own: it runs inside a transaction;
// - names its constraints, a primary key `<table>_pkey`, and makes unique keys with CREATE UNIQUE INDEX: SQLite
//   forgets the name of a UNIQUE inside CREATE TABLE;
// - has at most one unique index on the same columns of a table: SQLite reports the columns only;
// - defers no constraint: on SQLite its failure at commit would fail the neighbours of the group commit.
std::span<const Migration> migrations();

// Brings the database up to date: forward only, each migration in one transaction with its record and
// checksum. Safe when several nodes start at once. Throws std::runtime_error with a sentence for the operator
// when an applied migration's text has changed, or when the database is newer than this binary. Returns how
// many were applied.
int migrate(Storage& storage, std::span<const Migration> steps = migrations());

// How a database's schema compares with the migrations that this binary knows. Names of migrations are in order.
struct SchemaState {
  bool empty = false;  // there is no table at all
  bool ours = false;   // the table of applied migrations is there
  std::vector<std::string> pending;
  std::vector<std::string> unknown;  // applied by a newer program
  std::vector<std::string> changed;  // applied with another text
  std::int64_t newest_at = 0;        // when the last migration was applied, in milliseconds since 1970
};

// Only reads. `engine` is the storage's name().
SchemaState schema_state(Tx& tx, std::string_view engine, std::span<const Migration> steps = migrations());

}  // namespace guildhall
