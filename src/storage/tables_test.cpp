#include "storage/tables.h"

#include <deque>
#include <fmt/format.h>

#include "storage/migrations.h"
#include "support/engines.h"

namespace guildhall {
namespace {

class AllTables : public test::OnEachEngine {
 protected:
  void SetUp() override { migrate(*storage); }

  // How the engine would run the statement, as text. PostgreSQL would read tables as small as these in one piece, so it
  // is asked what it does with large ones.
  std::string plan_of(const Sql& sql) {
    std::string plan;
    if (GetParam() == test::Engine::sqlite) {
      const auto parameters = static_cast<std::size_t>(std::count(sql.text.begin(), sql.text.end(), '$'));
      storage->write_now([&](Tx& tx) {
        tx.run({&kept_.emplace_back("EXPLAIN QUERY PLAN " + sql.text), std::vector<Value>(parameters)},
               [&](const Row& row) { plan.append(row.text(3)).append("\n"); });
      });
      return plan;
    }
    std::string values;
    for (const char c : sql.text) values += c == '$' ? (values.empty() ? "NULL" : ", NULL") : "";
    storage->write_now([&](Tx& tx) {
      for (const std::string& text :
           {std::string("SET LOCAL plan_cache_mode = force_generic_plan"),
            std::string("SET LOCAL enable_seqscan = off"), std::string("SET LOCAL enable_bitmapscan = off"),
            "PREPARE explained AS " + sql.text, "EXPLAIN EXECUTE explained(" + values + ")",
            std::string("DEALLOCATE explained")}) {
        tx.run({&kept_.emplace_back(text), {}}, [&](const Row& row) { plan.append(row.text(0)).append("\n"); });
      }
    });
    return plan;
  }

  // From where on the index is read: after the row before, not from the tenant's first row.
  void expect_start_in_index(const Sql& sql, std::size_t key_columns, bool of_tenant) {
    const std::string plan = plan_of(sql);
    const bool sqlite = GetParam() == test::Engine::sqlite;
    const std::string row_value = sqlite ? (key_columns == 1 ? ">?" : ")>(") : (key_columns == 1 ? " > $" : ") > ROW(");
    EXPECT_NE(plan.find(sqlite ? "SEARCH" : "Index Cond"), std::string::npos) << sql.text << "\n" << plan;
    EXPECT_NE(plan.find(row_value), std::string::npos) << sql.text << "\n" << plan;
    if (of_tenant) EXPECT_NE(plan.find(sqlite ? "tenant_id=?" : "tenant_id = $"), std::string::npos) << plan;
    for (const char* bad : {"SCAN", "TEMP B-TREE", "Sort", "Filter"}) {
      EXPECT_EQ(plan.find(bad), std::string::npos) << bad << ": " << sql.text << "\n" << plan;
    }
  }

  std::deque<Sql> kept_;  // statements are known by their address
  Tables tables_;
};
INSTANTIATE_TEST_SUITE_P(Engines, AllTables, test::engines, test::engine_name);

TEST_P(AllTables, are_read_on_from_the_row_before_by_their_index) {
  tables_ = read_tables(*storage);
  int checked = 0;
  for (const auto& table : tables_) {
    const auto keys = std::count_if(table->columns.begin(), table->columns.end(),
                                    [](const TableColumn& column) { return column.key_place > 0; });
    const auto columns = static_cast<std::size_t>(keys);
    expect_start_in_index(table->next_of_all(), columns, false);
    if (columns > 1) expect_start_in_index(table->next_of_tenant(), columns - 1, true);
    ++checked;
  }
  EXPECT_GT(checked, 20);
}

// What is read at once is bounded in bytes as well as in rows.
TEST_P(AllTables, hand_over_few_rows_at_once_where_rows_are_large) {
  const Sql insert(
      "INSERT INTO tenants (tenant_id, name, owner_user_id, created_at, updated_at, version)"
      " VALUES ($1, $2, '', 1, 1, 1)");
  constexpr int rows_total = 40;
  for (int i = 0; i < rows_total; ++i) {
    storage->write_now([&](Tx& tx) {
      tx.run({&insert, {fmt::format("t{:02}", i), std::string(std::size_t{1} << 20, 'x')}});
    });
  }
  tables_ = read_tables(*storage);
  std::vector<std::size_t> steps;
  std::vector<std::string> seen;
  storage->write_now([&](Tx& tx) {
    steps.clear();
    seen.clear();
    for (const auto& table : tables_) {
      if (table->name != "tenants") continue;
      for_each_row(tx, *table, nullptr, [&](const std::vector<Table::Values>& rows) {
        steps.push_back(rows.size());
        for (const Table::Values& row : rows) seen.push_back(std::get<std::string>(row[0]));
      });
    }
  });
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(rows_total));
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  ASSERT_GT(steps.size(), 2u);
  for (std::size_t i = 1; i < steps.size(); ++i) EXPECT_LE(steps[i], 4u);
}

}  // namespace
}  // namespace guildhall
