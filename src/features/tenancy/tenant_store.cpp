#include "features/tenancy/tenant_store.h"

#include "storage/columns.h"

namespace guildhall {

static const Sql next_tenant_sql("SELECT tenant_id FROM tenants WHERE tenant_id > $1 ORDER BY tenant_id LIMIT 1");

Select<TenantId> next_tenant(const TenantId& after) {
  return {{&next_tenant_sql, params(after)}, [](const Row& row) { return TenantId(row.text(0)); }};
}

static const Sql lock_tenant_sql("UPDATE tenants SET tenant_id = tenant_id WHERE tenant_id = $1");

void lock_tenant(Tx& tx, const TenantId& tenant) {
  tx.run({&lock_tenant_sql, params(tenant)});
}

static const Sql rename_tenant_sql("UPDATE tenants SET name = $2 WHERE tenant_id = $1");

void rename_tenant(Tx& tx, const TenantId& tenant, const std::string& name) {
  tx.run({&rename_tenant_sql, params(tenant, name)});
}

}  // namespace guildhall
