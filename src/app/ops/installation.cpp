#include "app/ops/installation.h"

#include "storage/columns.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

void require_schema(const SchemaState& state) {
  if (!state.ours) throw std::runtime_error("The database is not one of Guildhall's: it has none of its tables.");
  if (!state.unknown.empty()) {
    throw std::runtime_error(fmt::format(
        "The database is newer than this program: it has migration {}. Use the newer program.", state.unknown.back()));
  }
  if (!state.changed.empty()) {
    throw std::runtime_error(fmt::format("The database was made with another text of migration {} than this program's.",
                                         state.changed.front()));
  }
  if (!state.pending.empty()) {
    throw std::runtime_error(
        fmt::format("The database is older than this program: migration {} is pending. Run `guildhall migrate` on it "
                    "first, or use the program that serves it.",
                    state.pending.front()));
  }
}

const Sql tenant_sql("SELECT COUNT(*) FROM tenants WHERE tenant_id = $1");

}  // namespace

std::unique_ptr<ReadOnlyDatabase> open_installation(const std::string& url) {
  auto database = open_read_only(url);
  database->read([&](Tx& tx) { require_schema(schema_state(tx, database->name())); });
  return database;
}

void require_tenant(Tx& tx, const TenantId& tenant) {
  std::int64_t found = 0;
  tx.run({&tenant_sql, params(tenant)}, [&](const Row& row) { found = row.integer(0); });
  if (found == 0) throw std::runtime_error(fmt::format("There is no tenant {} in this database.", tenant.text()));
}

}  // namespace guildhall
