#include "audit/audit_feed.h"

#include "storage/columns.h"

namespace guildhall {
namespace {

constexpr std::size_t tenants_a_statement = 50;

const Sql changes_sql(select_from<SealedChange>("audit_entries") +
                      " WHERE tenant_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3");

const Sql hash_sql("SELECT hash FROM audit_entries WHERE tenant_id = $1 AND sequence = $2");

std::string read_hash(const Row& row) {
  return std::string(row.text(0));
}

std::string watched_values() {
  std::string values;
  for (std::size_t i = 1; i <= tenants_a_statement; ++i) {
    values += fmt::format("{}(CAST(${} AS text))", i == 1 ? "" : ", ", i);
  }
  return values;
}

// Parameters that are not needed are null.
const Sql states_sql("WITH watched(tenant_id) AS (VALUES " + watched_values() +
                     ") SELECT watched.tenant_id, audit_chains.sequence, audit_chains.hash,"
                     " (SELECT id FROM audit_entries WHERE audit_entries.tenant_id = watched.tenant_id"
                     " AND audit_entries.sequence IS NULL LIMIT 1)"
                     " FROM watched LEFT JOIN audit_chains ON audit_chains.tenant_id = watched.tenant_id"
                     " WHERE watched.tenant_id IS NOT NULL");

ChainState read_state(const Row& row) {
  ChainState state{.tenant = TenantId(row.text(0)), .head = {}, .waiting = !row.is_null(3)};
  if (!row.is_null(1)) state.head = {row.integer(1), std::string(row.text(2))};
  return state;
}

}  // namespace

Select<SealedChange> sealed_changes(const TenantId& tenant, std::int64_t after_sequence, std::int64_t limit) {
  return {{&changes_sql, params(tenant, after_sequence, limit)}, read_row<SealedChange>};
}

Select<std::string> sealed_hash(const TenantId& tenant, std::int64_t sequence) {
  return {{&hash_sql, params(tenant, sequence)}, read_hash};
}

std::vector<ChainState> chain_states(Tx& tx, std::span<const TenantId> tenants) {
  std::vector<ChainState> states;
  while (!tenants.empty()) {
    const auto some = tenants.first(std::min(tenants.size(), tenants_a_statement));
    tenants = tenants.subspan(some.size());
    std::vector<Value> parameters(tenants_a_statement);
    std::transform(some.begin(), some.end(), parameters.begin(), [](const TenantId& tenant) { return tenant.text(); });
    tx.run({&states_sql, std::move(parameters)}, [&](const Row& row) { states.push_back(read_state(row)); });
  }
  return states;
}

}  // namespace guildhall
