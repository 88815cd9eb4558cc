// Any bytes as a row of an export: refused, or written in a form that import accepts again and leaves as it is.
//
// The first byte chooses the table.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

#include "app/transfer/import_rules.h"
#include "app/transfer/row_text.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

struct CheckedTable {
  const Table* table;
  RowCheck check;
};

// The tables of a new database, which is removed again.
const std::vector<CheckedTable>& checked_tables() {
  static const Tables tables = [] {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("import_fuzz_{}", ::getpid());
    std::filesystem::create_directory(folder);
    Tables read;
    {
      const auto storage = open_storage({.url = "sqlite:" + (folder / "fuzz.db").string()});
      migrate(*storage);
      read = read_tables(*storage);
    }
    std::filesystem::remove_all(folder);
    return read;
  }();
  static const std::vector<CheckedTable> checked = [] {
    std::vector<CheckedTable> all;
    for (const auto& table : tables) {
      const ImportRule* rule = import_rule(table->name);
      if (rule != nullptr && !rule->is_derived) all.push_back({table.get(), rule->check(*table)});
    }
    return all;
  }();
  return checked;
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
  if (size == 0) return 0;
  const auto& tables = checked_tables();
  const CheckedTable& to = tables[data[0] % tables.size()];
  const auto once = written(to, std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  if (once && written(to, *once) != once) std::abort();
  return 0;
}
