#include "features/fund/fund_store.h"

#include "features/customers/customer_name.h"
#include "storage/record_table.h"

namespace guildhall {
namespace {

const std::string select_entry = select_from<LedgerEntry>("fund_ledger");

std::int64_t read_number(const Row& row) {
  return row.integer(0);
}

}  // namespace

static const RecordTable<FundConfig> config_table("fund_configs", {.on_conflict = "(tenant_id) DO NOTHING"});
static const Sql config_sql(config_table.select + " WHERE tenant_id = $1");

Select<FundConfig> fund_config_of(const TenantId& tenant) {
  return {{&config_sql, params(tenant)}, read_row<FundConfig>};
}

bool insert_fund_config(Tx& tx, const FundConfig& config) {
  return config_table.insert(tx, config);
}

void update_fund_config(Tx& tx, FundConfig& config) {
  config_table.update(tx, config);
}

static const Sql totals_sql(select_from<FundTotals>("fund_balances") + " WHERE tenant_id = $1");

Select<FundTotals> fund_totals_of(const TenantId& tenant) {
  return {{&totals_sql, params(tenant)}, read_row<FundTotals>};
}

static const Sql of_kind_sql(select_entry +
                             " WHERE tenant_id = $1 AND kind = $2 ORDER BY sequence DESC LIMIT $3 OFFSET $4");

Select<LedgerEntry> entries_of_kind(const TenantId& tenant, LedgerKind kind, std::int64_t limit, std::int64_t offset) {
  return {{&of_kind_sql, params(tenant, kind, limit, offset)}, read_row<LedgerEntry>};
}

static const Sql before_sql(select_entry + " WHERE tenant_id = $1 AND sequence < $2 ORDER BY sequence DESC LIMIT $3");

Select<LedgerEntry> entries_before(const TenantId& tenant, std::int64_t sequence, std::int64_t limit) {
  return {{&before_sql, params(tenant, sequence, limit)}, read_row<LedgerEntry>};
}

static const Sql after_sql(select_entry +
                           " WHERE tenant_id = $1 AND sequence > $2 AND sequence <= $3 ORDER BY sequence LIMIT $4");

Select<LedgerEntry> entries_after(const TenantId& tenant, std::int64_t sequence, std::int64_t last,
                                  std::int64_t limit) {
  return {{&after_sql, params(tenant, sequence, last, limit)}, read_row<LedgerEntry>};
}

static const Sql of_order_sql(select_entry +
                              " WHERE tenant_id = $1 AND order_id = $2 AND order_part IS NOT NULL ORDER BY order_part");

Select<LedgerEntry> entries_of_order(const TenantId& tenant, const OrderId& order) {
  return {{&of_order_sql, params(tenant, order)}, read_row<LedgerEntry>};
}

// The name is looked up, not kept: an erased customer is nameless here at once.
static const Sql public_sql(
    "SELECT l.change_cents, CASE WHEN l.anonymous OR l.change_cents < 0 THEN NULL ELSE " +
    customer_name_sql("l.customer_id") +
    " END, l.created_at, l.sequence FROM fund_ledger l"
    " WHERE l.tenant_id = $1 AND l.kind = 'CONTRIBUTION' AND l.sequence < $2 ORDER BY l.sequence DESC LIMIT $3");

Select<PublicContribution> public_contributions_before(const TenantId& tenant, std::int64_t sequence,
                                                       std::int64_t limit) {
  return {{&public_sql, params(tenant, sequence, limit)}, read_row<PublicContribution>};
}

static const Sql tenants_sql(
    "SELECT tenant_id FROM fund_balances UNION SELECT tenant_id FROM fund_ledger ORDER BY tenant_id");

Select<TenantId> tenants_with_a_fund() {
  return {{&tenants_sql, {}}, [](const Row& row) { return TenantId(row.text(0)); }};
}

// Entry and balance are written together, so one statement never sees one without the other.
static const Sql beyond_sql(R"(
  SELECT COUNT(*) FROM fund_ledger WHERE tenant_id = $1
    AND sequence > COALESCE((SELECT sequence FROM fund_balances WHERE tenant_id = $1), 0))");

Select<std::int64_t> entries_beyond_the_balance(const TenantId& tenant) {
  return {{&beyond_sql, params(tenant)}, read_number};
}

static const Sql too_much_sql(R"(
  SELECT COUNT(*) FROM (SELECT order_id FROM fund_ledger WHERE tenant_id = $1 AND order_part IS NOT NULL
                        GROUP BY order_id HAVING SUM(change_cents) < 0) AS too_much)");

Select<std::int64_t> orders_given_back_too_much(const TenantId& tenant) {
  return {{&too_much_sql, params(tenant)}, read_number};
}

}  // namespace guildhall
