#include "features/tenancy/empty_shop.h"

#include "storage/columns.h"

namespace guildhall {

static const Sql has_records_sql([] {
  std::string sql = "SELECT 1 WHERE ";
  for (const std::string_view table : {"products", "discounts", "orders", "payments", "shipments", "memberships",
                                       "fund_ledger", "webhook_endpoints"}) {
    sql += fmt::format("{}EXISTS (SELECT 1 FROM {} WHERE tenant_id = $1)", table == "products" ? "" : " OR ", table);
  }
  return sql;
}());

bool is_empty_shop(Tx& tx, const TenantId& tenant) {
  return tx.run({&has_records_sql, params(tenant)}) == 0;
}

}  // namespace guildhall
