#include "features/identity/tenant_actions.h"

#include "audit/audit.h"
#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "features/identity/rank.h"
#include "features/tenancy/guild_binding.h"
#include "storage/record.h"

namespace guildhall {
namespace {

Tenant require_tenant(Tx& tx, const TenantId& id) {
  auto tenant = tx.one(tenant_by_id(id));
  if (!tenant) throw not_found("Tenant");
  return std::move(*tenant);
}

}  // namespace

Tenant create_tenant(Tx& tx, const TenantCreation& creation, const NewTenant& input, Instant now) {
  Tenant tenant = tenant_from(input, now);
  if (!insert_tenant(tx, tenant)) {
    throw bad_request("TENANT_ID_TAKEN", "There is, or was, a tenant with this tenantId already.");
  }
  const Actor& actor = creation.actor;
  const std::vector<std::string> owner_keys{std::string(tenant_admin)};
  add_grant(tx, tenant.tenant_id, tenant.owner_user_id, tenant_admin, now);
  clear_password_of_lower_rank(tx, {tenant.tenant_id, tenant.owner_user_id, owner_keys, creation.home_tenant, actor},
                               now);
  audit_change<Tenant>(tx, tenant.tenant_id, actor, {"tenant", tenant.tenant_id.text()}, nullptr, &tenant, now);
  ActionContext{tx, creation.events, tenant.tenant_id, actor, now}.emit(TenantCreated{tenant});
  return tenant;
}

Tenant change_tenant(Tx& tx, const Actor& actor, const TenantId& id, Instant now, FunctionRef<void(Tenant&)> edit) {
  Tenant tenant = require_tenant(tx, id);
  const Tenant before = tenant;
  edit(tenant);
  if (!needs_write(before, tenant)) return before;
  tenant.updated_at = now;
  update_tenant(tx, tenant);
  audit_change(tx, id, actor, {"tenant", id.text()}, &before, &tenant, now);
  return tenant;
}

RemovedTenant remove_tenant(const ActionContext& context, FunctionRef<void(const Tenant&)> check) {
  Tx& tx = context.tx;
  const TenantId& id = context.tenant;
  const Tenant before = require_tenant(tx, id);
  check(before);
  Tenant tenant = before;
  tenant.updated_at = context.now;
  tenant.deleted_at.value = context.now;
  update_tenant(tx, tenant);
  const RemovedTenant removed{tx.all(users_with_grants(id))};
  remove_tenants_grants(tx, id);
  release_all_guilds(tx, id);
  context.emit(TenantDeleted{before});
  audit_change<Tenant>(tx, id, context.actor, {"tenant", id.text()}, &before, nullptr, context.now);
  return removed;
}

}  // namespace guildhall
