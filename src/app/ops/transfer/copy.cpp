#include <ostream>

#include "app/ops/installation.h"
#include "app/ops/progress.h"
#include "app/ops/transfer/row_text.h"
#include "app/ops/transfer/transfer.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

void require_empty(Storage& target, const Tables& tables) {
  target.write_now([&](Tx& tx) {
    for (const auto& table : tables) {
      if (!table->rows_after(tx, nullptr, nullptr, 1).empty()) {
        throw std::runtime_error("The target is not empty: it has " + table->name + ".");
      }
    }
  });
}

RowSum copy_rows(Tx& from, Storage& to, const Table& table, Progress& progress) {
  RowSum sum;
  for_each_row(from, table, nullptr, [&](const std::vector<Table::Values>& rows) {
    for (const Table::Values& row : rows) sum.add(row);
    to.write_now([&](Tx& tx) {
      for (const Table::Values& row : rows) table.insert(tx, row);
    });
    progress.add(std::ssize(rows));
  });
  return sum;
}

RowSum sum_of(Tx& tx, const Table& table, Progress& progress) {
  RowSum sum;
  for_each_row(tx, table, nullptr, [&](const std::vector<Table::Values>& rows) {
    for (const Table::Values& row : rows) sum.add(row);
    progress.add(std::ssize(rows));
  });
  return sum;
}

void require_same(const Table& table, const RowSum& before, const RowSum& after) {
  if (before == after) return;
  throw std::runtime_error(fmt::format("{} was not copied completely: the source has {} rows, the target {}.",
                                       table.name, before.rows, after.rows));
}

}  // namespace

void copy_installation(const std::string& from_url, const std::string& to_url, std::ostream& report) {
  Tables tables;  // outlives the databases
  std::vector<RowSum> sums;
  std::int64_t total = 0;
  const auto from = open_installation(from_url);  // first: nothing is created when there is no source
  auto to = open_storage({.url = to_url});
  migrate(*to);
  from->read([&](Tx& source) {
    tables = read_tables(source, from->name());
    require_empty(*to, tables);
    for (const auto& table : tables) total += table->count(source, nullptr);
    Progress progress("copying", total);
    for (const auto& table : tables) sums.push_back(copy_rows(source, *to, *table, progress));
  });
  collect_statistics(*to);
  to.reset();
  // A new connection reads the target to verify it.
  Progress progress("verifying", total);
  open_installation(to_url)->read([&](Tx& target) {
    for (std::size_t i = 0; i < tables.size(); ++i) {
      require_same(*tables[i], sums[i], sum_of(target, *tables[i], progress));
      progress.clear();
      report << fmt::format("{}: {} rows, sum {:016x}\n", tables[i]->name, sums[i].rows, sums[i].sum);
    }
  });
}

}  // namespace guildhall
