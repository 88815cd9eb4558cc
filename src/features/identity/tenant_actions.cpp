#include "features/identity/tenant_actions.h"

#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "features/identity/rank.h"
#include "features/tenancy/binding_code.h"
#include "features/tenancy/empty_shop.h"
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

Tenant create_tenant(const ActionContext& context, const NewTenant& input) {
  const TenantId& home_tenant = context.tenant;
  Tenant tenant = tenant_from(input, context.now);
  if (!insert_tenant(context.tx, tenant)) {
    throw bad_request("TENANT_ID_TAKEN", "There is, or was, a tenant with this tenantId already.");
  }
  const ActionContext created = context.in_tenant(tenant.tenant_id);
  const std::vector<std::string> owner_keys{std::string(tenant_admin)};
  add_grant(created.tx, created.tenant, tenant.owner_user_id, tenant_admin, created.now);
  clear_password_of_lower_rank(created, {tenant.owner_user_id, owner_keys, home_tenant});
  created.audit_created({"tenant", created.tenant.text()}, tenant);
  created.emit(TenantCreated{tenant});
  return tenant;
}

Tenant change_tenant(const ActionContext& context, FunctionRef<void(Tenant&)> edit) {
  const TenantId& id = context.tenant;
  Tenant tenant = require_tenant(context.tx, id);
  const Tenant before = tenant;
  edit(tenant);
  if (!needs_write(before, tenant)) return before;
  tenant.updated_at = context.now;
  update_tenant(context.tx, tenant);
  context.audit_change({"tenant", id.text()}, &before, &tenant);
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
  context.audit_deleted({"tenant", id.text()}, before);
  return removed;
}

namespace {

// Moves the chat servers of the context's tenant to the shop of the code.
void move_servers(const ActionContext& context, const std::string& code, GivenUpShop& result) {
  Tx& tx = context.tx;
  const auto found = tx.one(binding_code(code, context.now));
  if (!found || found->tenant_id == context.tenant || !use_binding_code(tx, *found)) throw binding_code_invalid();
  result.into = require_tenant(tx, found->tenant_id);
  for (const GuildBinding& moved : move_guilds(tx, context.tenant, found->tenant_id)) {
    context.audit({"guild", moved.guild_id}, "released");
    context.in_tenant(found->tenant_id).audit({"guild", moved.guild_id}, "bound");
    ++result.servers;
  }
}

}  // namespace

GivenUpShop give_up_shop(const ActionContext& context, const TenantId& home_tenant,
                         const std::optional<std::string>& binding_code) {
  GivenUpShop result;
  if (context.tenant == home_tenant) throw conflict("DEFAULT_TENANT", "The default tenant cannot be deleted.");
  if (!is_empty_shop(context.tx, context.tenant)) {
    throw conflict("SHOP_NOT_EMPTY", "Only a shop without products, orders and other records can be given up.");
  }
  if (binding_code) move_servers(context, *binding_code, result);
  result.removed = remove_tenant(context, [](const Tenant&) {});
  return result;
}

}  // namespace guildhall
