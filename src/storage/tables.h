#pragma once

#include <memory>
#include <string>
#include <vector>

#include "storage/storage.h"

// The tables of a database as the database describes them, for code that handles all of them alike: export, import and
// copies.
namespace guildhall {

struct TableColumn {
  enum class Type { text, integer, boolean };
  std::string name;
  Type type;
  int key_place;  // position in the primary key, counted from 1; 0 if it is not part of it
};

// A table with the statements that read and write its rows. It must outlive the storage it is used with, which
// identifies prepared statements by their address.
class Table {
 public:
  Table(std::string name, std::vector<TableColumn> columns);

  const std::string name;
  const std::vector<TableColumn> columns;
  bool has(std::string_view column) const;

  using Values = std::vector<Value>;  // in the order of the columns

  // Reads the next rows in the order of the key: those of one tenant or, without one, of all. `last` is the row before
  // them, if there is one.
  std::vector<Values> rows_after(Tx& tx, const std::string* tenant, const Values* last, std::int64_t limit) const;
  void insert(Tx& tx, Values row) const;
  void insert_unless_present(Tx& tx, Values row) const;  // does nothing if the row violates a unique key

  // The number of rows of the tenant, or of all. Reads them all, so it is for commands only.
  std::int64_t count(Tx& tx, const std::string* tenant) const;

 private:
  Sql whole_first_, whole_next_, tenant_first_, tenant_next_, insert_, insert_unless_present_, count_whole_,
      count_tenant_;
};

using Tables = std::vector<std::unique_ptr<Table>>;

// Returns every table except the list of migrations, in the order in which the migrations created them. `engine` is the
// storage's name().
Tables read_tables(Tx& tx, std::string_view engine);
Tables read_tables(Storage& storage);

// Throws std::runtime_error if there is no such table.
const Table& table_named(const Tables& tables, std::string_view name);

// Passes all rows to `take` in the order of the key: those of one tenant or (null) of all. Each call receives a few
// hundred rows at most, or fewer where rows are large, so that memory stays bounded.
void for_each_row(Tx& tx, const Table& table, const std::string* tenant,
                  FunctionRef<void(const std::vector<Table::Values>&)> take);

}  // namespace guildhall
