#include "features/tenancy/tenant.h"

#include "storage/columns.h"

namespace guildhall {
namespace {

const Sql by_id_sql("SELECT " + columns<Tenant>() + " FROM tenants WHERE tenant_id = $1 AND deleted_at IS NULL");

// Two nodes that start at once on an empty database make one tenant.
const Sql insert_first_sql("INSERT INTO tenants (" + columns<Tenant>() + ") SELECT " + placeholders<Tenant>() +
                           " WHERE NOT EXISTS (SELECT 1 FROM tenants) ON CONFLICT (tenant_id) DO NOTHING");

}  // namespace

Select<Tenant> tenant_by_id(const TenantId& tenant) {
  return {{&by_id_sql, params(tenant)}, read_row<Tenant>};
}

bool ensure_default_tenant(Tx& tx, const TenantId& tenant, Instant now) {
  const Tenant first{.tenant_id = tenant,
                     .name = tenant.text(),
                     .owner_user_id = UserId(std::string()),
                     .admin_user_ids = {},
                     .created_at = now,
                     .updated_at = now,
                     .deleted_at = {},
                     .version = {1}};
  return tx.run({&insert_first_sql, values_of(first)}) == 1;
}

}  // namespace guildhall
