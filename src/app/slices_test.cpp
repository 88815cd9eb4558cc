#include "app/slices.h"

#include <set>

#include "storage/tables.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

class SliceTables : public test::OnEachPair {};
INSTANTIATE_TEST_SUITE_P(Pairs, SliceTables, test::engines, test::engine_name);

std::multiset<std::string> declared_texts(const SliceTable& table) {
  std::multiset<std::string> columns;
  for (const std::string_view list : {table.other, table.personal, table.account, table.sealed}) {
    for (const std::string_view column : words_of(list)) columns.emplace(column);
  }
  return columns;
}

TEST_P(SliceTables, say_of_every_text_column_what_it_holds) {
  server.stop();
  const auto storage = open_storage({.url = server.config.database_url});
  std::map<std::string, std::multiset<std::string>> declared, found;
  for (const SliceTable& table : all_slice_tables()) {
    EXPECT_TRUE(declared.emplace(table.name, declared_texts(table)).second) << table.name << " is declared twice";
  }
  for (const auto& table : read_tables(*storage)) {
    std::multiset<std::string>& columns = found[table->name];
    for (const TableColumn& column : table->columns) {
      const bool is_said = column.name != "tenant_id" && column.name != "id";
      if (is_said && column.type == TableColumn::Type::text) columns.insert(column.name);
    }
  }
  for (const auto& [table, columns] : found) {
    EXPECT_TRUE(declared.contains(table)) << table << " is declared by no slice";
    EXPECT_EQ(declared[table], columns) << "the text columns that the slice declares for " << table
                                        << " are not those of the database";
  }
  for (const auto& [table, columns] : declared) EXPECT_TRUE(found.contains(table)) << table << " does not exist";
}

TEST(Slices, erase_what_is_personal) {
  for (const SliceTable& table : all_slice_tables()) {
    EXPECT_EQ(table.personal.empty(), table.erased.empty()) << table.name;
    EXPECT_EQ(table.sealed.empty(), table.sealed_for.empty()) << table.name;
    if (table.erased == "DELETE" || table.erased == erased_by_code) continue;
    for (const std::string_view column : words_of(table.personal)) {
      EXPECT_NE(table.erased.find(fmt::format("{} = ", column)), std::string_view::npos)
          << table.name << "." << column << " is personal, but stays when its customer is erased";
    }
  }
}

TEST(Slices, emit_events_with_names_of_their_own) {
  const std::set<std::string_view> names(event_names().begin(), event_names().end());
  EXPECT_EQ(names.size(), event_names().size());
}

}  // namespace
}  // namespace guildhall
