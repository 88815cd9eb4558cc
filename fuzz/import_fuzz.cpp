// Any bytes as a row of an export: refused, or written in a form that import accepts again and leaves as it is.
//
// The first line is the name of the table. Columns that the row does not have get their defaults, so that seeds stay
// valid when columns are added.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <unistd.h>

#include "app/ops/transfer/import_rules.h"
#include "app/ops/transfer/row_text.h"
#include "storage/columns.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

struct CheckedTable {
  const Table* table;
  RowCheck check;
  std::map<std::string, std::string> defaults;  // of its columns, as JSON
};

struct Schema {
  Tables tables;
  std::map<std::string, CheckedTable, std::less<>> checked;  // by name
};

std::map<std::string, std::string> defaults_of(Tx& tx, const Table& table) {
  static const Sql sql("SELECT name, COALESCE(dflt_value, 'null') FROM pragma_table_info($1)");
  std::map<std::string, std::string> defaults;
  tx.run({&sql, params(table.name)}, [&](const Row& row) {
    std::string text(row.text(1));
    if (text.starts_with('\'')) {
      std::string quoted;
      json::append(quoted, text.substr(1, text.size() - 2));
      text = quoted;
    }
    defaults[std::string(row.text(0))] = text;
  });
  return defaults;
}

// The tables of a new database, which is removed again.
const Schema& schema() {
  static const Schema read = [] {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("import_fuzz_{}", ::getpid());
    std::filesystem::create_directory(folder);
    Schema all;
    {
      const auto storage = open_storage({.url = "sqlite:" + (folder / "fuzz.db").string()});
      migrate(*storage);
      all.tables = read_tables(*storage);
      storage->read_now([&](Tx& tx) {
        for (const auto& table : all.tables) {
          const ImportRule* rule = import_rule(table->name);
          if (rule == nullptr || rule->is_derived) continue;
          all.checked[table->name] = {table.get(), rule->check(*table), defaults_of(tx, *table)};
        }
      });
    }
    std::filesystem::remove_all(folder);
    return all;
  }();
  return read;
}

std::string completed(const CheckedTable& to, std::string line) {
  for (const auto& [column, value] : to.defaults) {
    const std::string key = fmt::format("\"{}\":", column);
    if (line.starts_with('{') && line.find(key) == std::string::npos) line.insert(1, fmt::format("{}{},", key, value));
  }
  return line;
}

std::optional<std::string> written(const CheckedTable& to, const std::string& line) {
  static const ImportOptions options{.chat_servers = {"g"}};
  static const Importing importing{TenantId(std::string("t")), options, Instant{1'800'000'000'000}};
  try {
    Table::Values row = row_of_ndjson(*to.table, line);
    Problems problems;
    to.check(row, importing, problems);
    if (!problems.empty()) return std::nullopt;
    return ndjson_line(*to.table, row);
  } catch (const std::exception&) {
    return std::nullopt;  // not a row, as most bytes are
  }
}

}  // namespace
}  // namespace guildhall

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace guildhall;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return -1;
  const auto to = schema().checked.find(input.substr(0, end));
  if (to == schema().checked.end()) return -1;
  const auto once = written(to->second, completed(to->second, std::string(input.substr(end + 1))));
  if (once && written(to->second, *once) != once) std::abort();
  return 0;
}
