#include "storage/tables.h"

#include <map>

namespace guildhall {
namespace {

constexpr std::int64_t rows_first_step = 16;
constexpr std::int64_t rows_a_step_min = 2;
constexpr std::int64_t rows_a_step_max = 500;
constexpr std::int64_t bytes_a_step = 4 << 20;
constexpr std::string_view tenant_column = "tenant_id";

// Selects the name of the table, the name and type of the column, and its position in the primary key.
const Sql sqlite_sql(R"(
  SELECT m.name, c.name, lower(c.type), c.pk FROM sqlite_master m JOIN pragma_table_info(m.name) c
  WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY m.rowid, c.cid)");

const Sql postgresql_sql(R"(
  SELECT CAST(t.relname AS text), CAST(a.attname AS text), format_type(a.atttypid, NULL), COALESCE((
    SELECT k.place FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k (number, place)
    WHERE i.indrelid = t.oid AND i.indisprimary AND k.number = a.attnum), 0)
  FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE t.relkind IN ('r', 'p') AND NOT t.relispartition
    AND t.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
  ORDER BY t.oid, a.attnum)");

TableColumn::Type type_named(const std::string& table, std::string_view type) {
  if (type == "text") return TableColumn::Type::text;
  if (type == "bigint") return TableColumn::Type::integer;
  if (type == "boolean") return TableColumn::Type::boolean;
  throw std::runtime_error(fmt::format("table {} has a column of a type that cannot be moved: {}", table, type));
}

std::string joined(const std::vector<std::string>& parts) {
  std::string list;
  for (const std::string& part : parts) list.append(list.empty() ? "" : ", ").append(part);
  return list;
}

std::vector<std::string> names_of(const std::vector<TableColumn>& columns) {
  std::vector<std::string> names;
  for (const TableColumn& column : columns) names.push_back(column.name);
  return names;
}

std::vector<std::size_t> key_of(const std::vector<TableColumn>& columns) {
  std::map<int, std::size_t> places;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].key_place > 0) places[columns[i].key_place] = i;
  }
  std::vector<std::size_t> key;
  for (const auto& [place, column] : places) key.push_back(column);
  return key;
}

std::string placeholders(std::size_t first, std::size_t count) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < count; ++i) list.push_back(fmt::format("${}", first + i));
  return joined(list);
}

// The columns that identify a row. Within one tenant the tenant's column is left out, because neither engine uses the
// index for a row comparison that begins with a column of a fixed value.
std::vector<std::size_t> rest_of_key(const std::vector<TableColumn>& columns, bool of_tenant) {
  std::vector<std::size_t> key = key_of(columns);
  if (of_tenant) std::erase_if(key, [&](std::size_t place) { return columns[place].name == tenant_column; });
  return key;
}

// The parameters are the limit, the tenant, and the key of the row before.
std::string select_text(const std::string& table, const std::vector<TableColumn>& columns, bool of_tenant, bool next) {
  std::vector<std::string> key;
  for (const std::size_t place : rest_of_key(columns, of_tenant)) key.push_back(columns[place].name);
  std::string conditions = of_tenant ? fmt::format(" WHERE {} = $2", tenant_column) : "";
  if (next && key.empty()) {
    conditions += " AND 1 = 0";  // the table has one row per tenant, so there is no next row
  } else if (next) {
    conditions += fmt::format("{} ({}) > ({})", of_tenant ? " AND" : " WHERE", joined(key),
                              placeholders(of_tenant ? 3 : 2, key.size()));
  }
  const std::string order = key.empty() ? "" : " ORDER BY " + joined(key);
  return fmt::format("SELECT {} FROM {}{}{} LIMIT $1", joined(names_of(columns)), table, conditions, order);
}

Value value_in(const Row& row, int place, TableColumn::Type type) {
  if (row.is_null(place)) return {};
  switch (type) {
    case TableColumn::Type::text:
      return std::string(row.text(place));
    case TableColumn::Type::integer:
      return row.integer(place);
    case TableColumn::Type::boolean:
      return row.boolean(place);
  }
  return {};
}

std::int64_t bytes_of(const std::vector<Table::Values>& rows) {
  std::int64_t bytes = 0;
  for (const Table::Values& row : rows) {
    for (const Value& value : row) {
      bytes += 8;
      if (const auto* text = std::get_if<std::string>(&value)) bytes += std::ssize(*text);
    }
  }
  return bytes;
}

}  // namespace

Table::Table(std::string table_name, std::vector<TableColumn> table_columns)
    : name(std::move(table_name)),
      columns(std::move(table_columns)),
      whole_first_(select_text(name, columns, false, false)),
      whole_next_(select_text(name, columns, false, true)),
      tenant_first_(select_text(name, columns, has(tenant_column), false)),
      tenant_next_(select_text(name, columns, has(tenant_column), true)),
      insert_(fmt::format("INSERT INTO {} ({}) VALUES ({})", name, joined(names_of(columns)),
                          placeholders(1, columns.size()))),
      insert_unless_present_(insert_.text + " ON CONFLICT DO NOTHING"),
      count_whole_(fmt::format("SELECT COUNT(*) AS rows_in_table FROM {}", name)),
      count_tenant_(count_whole_.text + (has(tenant_column) ? fmt::format(" WHERE {} = $1", tenant_column) : "")) {}

bool Table::has(std::string_view column) const {
  return std::any_of(columns.begin(), columns.end(), [&](const TableColumn& one) { return one.name == column; });
}

std::vector<Table::Values> Table::rows_after(Tx& tx, const std::string* tenant, const Values* last,
                                             std::int64_t limit) const {
  std::vector<Value> params{limit};
  if (tenant != nullptr) params.emplace_back(*tenant);
  if (last != nullptr) {
    for (const std::size_t place : rest_of_key(columns, tenant != nullptr)) params.push_back((*last)[place]);
  }
  const Sql& sql = tenant != nullptr ? (last != nullptr ? tenant_next_ : tenant_first_)
                                     : (last != nullptr ? whole_next_ : whole_first_);
  std::vector<Values> rows;
  tx.run({&sql, std::move(params)}, [&](const Row& row) {
    Values& values = rows.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      values.push_back(value_in(row, static_cast<int>(i), columns[i].type));
    }
  });
  return rows;
}

void Table::insert(Tx& tx, Values row) const {
  tx.later({&insert_, std::move(row)});
}

void Table::insert_unless_present(Tx& tx, Values row) const {
  tx.later({&insert_unless_present_, std::move(row)});
}

std::int64_t Table::count(Tx& tx, const std::string* tenant) const {
  std::int64_t rows = 0;
  const Query query = tenant != nullptr ? Query{&count_tenant_, {*tenant}} : Query{&count_whole_, {}};
  tx.run(query, [&](const Row& row) { rows = row.integer(0); });
  return rows;
}

Tables read_tables(Tx& tx, std::string_view engine) {
  std::vector<std::pair<std::string, std::vector<TableColumn>>> found;
  tx.run({engine == "sqlite" ? &sqlite_sql : &postgresql_sql, {}}, [&](const Row& row) {
    const std::string table(row.text(0));
    if (table == "schema_migrations") return;
    if (found.empty() || found.back().first != table) found.emplace_back(table, std::vector<TableColumn>());
    found.back().second.push_back(
        {std::string(row.text(1)), type_named(table, row.text(2)), static_cast<int>(row.integer(3))});
  });
  Tables tables;
  for (auto& [name, columns] : found) tables.push_back(std::make_unique<Table>(name, std::move(columns)));
  return tables;
}

Tables read_tables(Storage& storage) {
  Tables tables;
  storage.read_now([&](Tx& tx) { tables = read_tables(tx, storage.name()); });
  return tables;
}

const Table& table_named(const Tables& tables, std::string_view name) {
  for (const auto& table : tables) {
    if (table->name == name) return *table;
  }
  throw std::runtime_error(fmt::format("There is no table {}.", name));
}

void for_each_row(Tx& tx, const Table& table, const std::string* tenant,
                  FunctionRef<void(const std::vector<Table::Values>&)> take) {
  std::optional<Table::Values> last;
  std::int64_t limit = rows_first_step;
  while (true) {
    const std::vector<Table::Values> rows = table.rows_after(tx, tenant, last ? &*last : nullptr, limit);
    take(rows);
    if (std::ssize(rows) < limit) return;
    last = rows.back();
    // Estimated from the size of these rows.
    limit = std::clamp(bytes_a_step * std::ssize(rows) / bytes_of(rows), rows_a_step_min, rows_a_step_max);
  }
}

}  // namespace guildhall
