#include "storage/sqlite/constraint_name.h"

#include <memory>
#include <vector>

namespace guildhall {
namespace {

struct Columns {
  std::string table;
  std::vector<std::string> names;
};

// Parses the list of columns in a message: "customers.tenant_id, customers.chat_id".
Columns parse_columns(std::string_view list) {
  Columns columns;
  while (!list.empty()) {
    std::string_view item = list.substr(0, list.find(", "));
    list.remove_prefix(std::min(list.size(), item.size() + 2));
    std::size_t dot = item.find('.');
    if (dot == std::string_view::npos) continue;
    columns.table = item.substr(0, dot);
    columns.names.emplace_back(item.substr(dot + 1));
  }
  return columns;
}

// Returns the first two columns of the rows of a table-valued pragma.
std::vector<std::pair<std::string, std::string>> ask(sqlite3* db, const char* sql, const std::string& argument) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(db, sql, -1, &raw, nullptr) != SQLITE_OK) return {};
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
  sqlite3_bind_text(raw, 1, argument.c_str(), -1, SQLITE_STATIC);
  auto text = [&](int column) {
    const unsigned char* found = sqlite3_column_text(raw, column);
    return found == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(found));
  };
  std::vector<std::pair<std::string, std::string>> rows;
  while (sqlite3_step(raw) == SQLITE_ROW) rows.emplace_back(text(0), text(1));
  return rows;
}

std::string unique_index_on(sqlite3* db, const Columns& columns) {
  for (const auto& [index, origin] :
       ask(db, R"(SELECT name, origin FROM pragma_index_list(?1) WHERE "unique")", columns.table)) {
    std::vector<std::string> names;
    for (auto& [name, unused] : ask(db, "SELECT name, '' FROM pragma_index_info(?1) ORDER BY seqno", index)) {
      names.push_back(std::move(name));
    }
    if (names != columns.names) continue;
    if (origin == "pk") return columns.table + "_pkey";
    if (origin == "c") return index;
    // SQLite keeps no name for a UNIQUE within CREATE TABLE; this is the name that PostgreSQL generates.
    std::string made_up = columns.table;
    for (const std::string& name : names) made_up += "_" + name;
    return made_up + "_key";
  }
  return {};
}

}  // namespace

std::string constraint_name(sqlite3* db, int extended_code, std::string_view message) {
  if (extended_code == SQLITE_CONSTRAINT_FOREIGNKEY) return {};
  constexpr std::string_view failed = "constraint failed: ";
  std::size_t at = message.find(failed);
  if (at == std::string_view::npos) return {};
  std::string_view what = message.substr(at + failed.size());
  if (extended_code == SQLITE_CONSTRAINT_CHECK) return std::string(what);

  // For an index on an expression, the message contains its name: "UNIQUE constraint failed: index 'x'".
  constexpr std::string_view index = "index '";
  if (what.starts_with(index) && what.ends_with('\'')) {
    return std::string(what.substr(index.size(), what.size() - index.size() - 1));
  }
  Columns columns = parse_columns(what);
  if (extended_code == SQLITE_CONSTRAINT_NOTNULL && !columns.names.empty()) {
    return columns.table + "_" + columns.names.front() + "_not_null";
  }
  if (extended_code != SQLITE_CONSTRAINT_UNIQUE) return columns.table + "_pkey";
  return unique_index_on(db, columns);
}

}  // namespace guildhall
