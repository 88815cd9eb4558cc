#include "features/identity/grant_actions.h"

#include "base/crypto.h"
#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "features/identity/rank.h"
#include "features/identity/role.h"
#include "features/identity/user_store.h"

namespace guildhall {
namespace {

Failure last_admin() {
  return conflict("LAST_TENANT_ADMIN", "The last TenantAdmin of a tenant cannot be removed.");
}

// The tenant to which the user belongs: this one, or another one if the user holds a grant here or the caller is a
// PlatformAdmin. Throws not_found otherwise.
TenantId tenant_of_user(Tx& tx, const TenantId& tenant, const api::Caller& caller, const UserId& user) {
  if (tx.one(user_by_id(tenant, user))) return tenant;
  if (const auto home = tx.one(tenant_of_holder(tenant, user))) return *home;
  const auto anywhere = caller.may(platform_admin) ? tx.one(user_anywhere(user)) : std::nullopt;
  if (!anywhere) throw not_found("User");
  return anywhere->tenant_id;
}

// To grant a role, the caller must be able to grant each of its keys.
bool may_grant(const ActionContext& context, const api::Caller& caller, const UserId& user, const std::string& key) {
  // Nobody can extend their own grants, not even a PlatformAdmin. TenantStaff extends nothing if its keys are held.
  if (caller.user == user) return caller.may(key) || (!is_custom_key(key) && holds(caller.permissions, key));
  const auto keys = with_keys_of_roles(context.tx, context.tenant, {key});
  return std::all_of(keys.begin(), keys.end(), [&](const std::string& each) {
    return holds(caller.permissions, each) || (is_custom_key(each) && caller.may(tenant_admin));
  });
}

void require_may_grant(const ActionContext& context, const Granting& granting, const UserId& user,
                       const std::string& key) {
  if (!may_grant(context, granting.caller, user, key)) {
    throw forbidden("PERMISSION_DENIED", fmt::format("You do not hold {} yourself.", key));
  }
  if (key == platform_admin && context.tenant != granting.home_tenant) {
    throw invalid_field("keys", "PlatformAdmin is granted in the default tenant only");
  }
}

}  // namespace

bool is_permission_key(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  });
}

std::int64_t version_of(const UserGrants& grants) {
  const Sha256 hash = sha256(to_json(grants.keys));
  std::int64_t version = 0;
  for (std::size_t i = 0; i < 6; ++i) version = version << 8 | hash[i];
  return version;
}

UserGrants find_grants(Tx& tx, const TenantId& tenant, const api::Caller& caller, const UserId& user) {
  tenant_of_user(tx, tenant, caller, user);
  return {user, granted_in(tx, tenant, user)};
}

UserGrants set_grants(const ActionContext& context, const Granting& granting, const UserId& user,
                      std::vector<std::string> keys, FunctionRef<void(const UserGrants&)> check) {
  Tx& tx = context.tx;
  const TenantId& tenant = context.tenant;
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const TenantId user_tenant = tenant_of_user(tx, tenant, granting.caller, user);
  require_lasting_rank(tx, granting.caller, user_tenant, user, RankFor::grants);
  lock_grants(tx, tenant);
  const UserGrants before{user, granted_in(tx, tenant, user)};
  check(before);
  std::vector<std::string> added;
  std::set_difference(keys.begin(), keys.end(), before.keys.begin(), before.keys.end(), std::back_inserter(added));
  for (const std::string& key : added) {
    require_may_grant(context, granting, user, key);
    require_room_for_holder(tx, tenant, key);
    add_grant(tx, tenant, user, key, context.now);
  }
  for (const std::string& key : before.keys) {
    if (contains(keys, key)) continue;
    if (key == tenant_admin && !has_another_admin(tx, tenant, user)) throw last_admin();
    remove_grant(tx, tenant, user, key);
  }
  auto gained = with_keys_of_roles(tx, tenant, added);
  const auto held = with_implied(with_keys_of_roles(tx, tenant, before.keys));
  std::erase_if(gained, [&](const std::string& key) { return holds(held, key); });
  clear_password_of_lower_rank(context, {user, gained, granting.home_tenant});
  const UserGrants after{user, std::move(keys)};
  context.audit_change({"grants", user.text()}, &before, &after);
  return after;
}

void require_not_last_admin(Tx& tx, const TenantId& user_tenant, const UserId& user) {
  for (const Grant& grant : tx.all(grants_everywhere(user_tenant, user))) {
    if (grant.key != tenant_admin) continue;
    lock_grants(tx, grant.tenant);
    if (!has_another_admin(tx, grant.tenant, user)) throw last_admin();
  }
}

}  // namespace guildhall
