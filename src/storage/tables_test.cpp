#include "storage/tables.h"

#include <fmt/format.h>

#include "storage/migrations.h"
#include "support/engines.h"

namespace guildhall {
namespace {

class AllTables : public test::OnEachEngine {
 protected:
  void SetUp() override { migrate(*storage); }

  Tables tables_;
};
INSTANTIATE_TEST_SUITE_P(Engines, AllTables, test::engines, test::engine_name);

// Each step of a read is limited in bytes as well as in rows.
TEST_P(AllTables, are_read_in_smaller_steps_where_rows_are_large) {
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
