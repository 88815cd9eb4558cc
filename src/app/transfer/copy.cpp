#include <ostream>

#include "app/transfer/row_text.h"
#include "app/transfer/transfer.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

RowSum sum_of(Storage& storage, const Table& table) {
  RowSum sum;
  for_each_row(storage, table, nullptr, [&](const std::vector<Table::Values>& rows) {
    for (const Table::Values& row : rows) sum.add(row);
  });
  return sum;
}

void copy_rows(Storage& from, Storage& to, const Table& table) {
  for_each_row(from, table, nullptr, [&](const std::vector<Table::Values>& rows) {
    to.write_now([&](Tx& tx) {
      for (const Table::Values& row : rows) table.insert(tx, row);
    });
  });
}

}  // namespace

void copy_installation(const std::string& from_url, const std::string& to_url, std::ostream& report) {
  Tables tables;  // outlives the storages
  const auto from = open_storage({.url = from_url});
  const auto to = open_storage({.url = to_url});
  migrate(*from);  // both must have the same tables
  migrate(*to);
  tables = read_tables(*from);
  for (const auto& table : tables) {
    to->write_now([&](Tx& tx) {
      if (!table->rows_after(tx, nullptr, nullptr, 1).empty()) {
        throw std::runtime_error("the target is not empty: it has " + table->name);
      }
    });
  }
  for (const auto& table : tables) {
    copy_rows(*from, *to, *table);
    const RowSum before = sum_of(*from, *table), after = sum_of(*to, *table);
    if (before != after) {
      throw std::runtime_error(
          fmt::format("{} did not arrive as it was: {} rows here, {} there", table->name, before.rows, after.rows));
    }
    report << fmt::format("{}: {} rows, sum {:016x}\n", table->name, after.rows, after.sum);
  }
}

}  // namespace guildhall
