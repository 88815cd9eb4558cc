#include "storage/metadata_index.h"

#include "base/crypto.h"
#include "base/encoding.h"

namespace guildhall {
namespace {

const Sql insert_entry_sql(
    "INSERT INTO metadata_entries (tenant_id, record_table, entry, record_id) VALUES ($1, $2, $3, $4)"
    " ON CONFLICT DO NOTHING");
const Sql erase_entry_sql(
    "DELETE FROM metadata_entries WHERE tenant_id = $1 AND record_table = $2 AND entry = $3 AND record_id = $4");

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

ListPath metadata_path(std::string_view table) {
  return {.filter = "metadata",
          .condition = fmt::format("record_table = '{}' AND entry = :metadata", table),
          .table = "metadata_entries",
          .id = "record_id",
          .order = ListPath::Order::id};
}

}  // namespace guildhall
