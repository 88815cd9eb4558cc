#include "storage/metadata_index.h"

#include <deque>

#include "base/crypto.h"
#include "base/encoding.h"

namespace guildhall {
namespace {

const Sql insert_entry_sql(
    "INSERT INTO metadata_entries (tenant_id, record_table, entry, record_id) VALUES ($1, $2, $3, $4)"
    " ON CONFLICT DO NOTHING");
const Sql erase_entry_sql(
    "DELETE FROM metadata_entries WHERE tenant_id = $1 AND record_table = $2 AND entry = $3 AND record_id = $4");

// A table whose records have metadata, and the statement that reads some of its records.
struct IndexedTable {
  explicit IndexedTable(std::string_view name, std::string_view condition = "true")
      : name(name),
        some_sql(
            fmt::format("SELECT id, metadata FROM {} WHERE tenant_id = $1 AND id > $2 AND {} ORDER BY id LIMIT 500",
                        name, condition)) {}
  std::string_view name;
  Sql some_sql;
};

const std::deque<IndexedTable> indexed_tables = [] {
  std::deque<IndexedTable> tables;
  for (const std::string_view name : {"products", "customers", "memberships"}) tables.emplace_back(name);
  for (const std::string_view name : {"orders", "discounts"}) tables.emplace_back(name, "deleted_at IS NULL");
  return tables;
}();

struct IndexedRecord {
  std::string id;
  Metadata metadata;
};

IndexedRecord read_indexed(const Row& row) {
  return {std::string(row.text(0)), Column<Metadata>::read(row, 1)};
}

}  // namespace

std::string metadata_entry(std::string_view key, std::string_view value) {
  constexpr std::size_t hash_bytes = 18;
  const Sha256 hash = sha256(fmt::format("{}:{}{}", key.size(), key, value));
  return base64url(std::string_view(reinterpret_cast<const char*>(hash.data()), hash_bytes));
}

void index_metadata(Tx& tx, const TenantId& tenant, std::string_view table, const std::string& id,
                    const Metadata& before, const Metadata& after) {
  if (before == after) return;
  const auto had = before.entries(), has = after.entries();
  const auto write_missing = [&](const auto& entries, const auto& others, const Sql& sql) {
    for (const auto& [key, value] : entries) {
      const auto other = others.find(key);
      if (other != others.end() && other->second == value) continue;
      tx.later_unread({&sql, params(tenant, std::string(table), metadata_entry(key, value), id)}, Tx::accept);
    }
  };
  write_missing(had, has, erase_entry_sql);
  write_missing(has, had, insert_entry_sql);
}

void index_all_metadata(Tx& tx, const TenantId& tenant) {
  for (const IndexedTable& table : indexed_tables) {
    std::string last;
    while (true) {
      const auto some = tx.all(Select<IndexedRecord>{{&table.some_sql, params(tenant, last)}, read_indexed});
      for (const auto& [id, metadata] : some) index_metadata(tx, tenant, table.name, id, {}, metadata);
      if (some.empty()) break;
      last = some.back().id;
    }
  }
}

ListPath metadata_path(std::string_view table) {
  return {.filter = "metadata",
          .condition = fmt::format("record_table = '{}' AND entry = :metadata", table),
          .table = "metadata_entries",
          .id = "record_id",
          .order = ListPath::Order::id};
}

}  // namespace guildhall
