#include "features/identity/grant_actions.h"

#include "audit/audit.h"
#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "features/identity/user_store.h"

namespace guildhall {
namespace {

bool contains(const std::vector<std::string>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

Failure last_admin() {
  return conflict("LAST_TENANT_ADMIN", "The last TenantAdmin of a tenant cannot be removed.");
}

void require_user(Tx& tx, const Granting& granting, const UserId& user) {
  if (tx.one(user_by_id(granting.tenant, user))) return;
  const bool anywhere = granting.caller.may(platform_admin) && tx.one(user_anywhere(user));
  if (!anywhere) throw not_found("User");
}

// A role whose every permission the caller holds: a TenantAdmin appoints staff.
bool is_lesser_role(const http::Caller& caller, const std::string& key) {
  const std::vector<std::string> implied = with_implied({key});
  return implied.size() > 1 && std::all_of(implied.begin(), implied.end(),
                                           [&](const std::string& one) { return one == key || caller.may(one); });
}

void require_may_grant(const Granting& granting, const UserId& user, const std::string& key) {
  const http::Caller& caller = granting.caller;
  if (key == platform_admin && granting.tenant != granting.home_tenant) {
    throw invalid_field("keys", "PlatformAdmin is granted in the default tenant only");
  }
  // A PlatformAdmin holds everything, but does not hand themselves what they were not given.
  if (caller.may(key) || (caller.may(platform_admin) && caller.user != user)) return;
  if (is_lesser_role(caller, key)) return;
  throw forbidden("PERMISSION_DENIED", fmt::format("You do not hold {} yourself.", key));
}

void require_may_remove(Tx& tx, const Granting& granting, const UserId& user, const std::string& key) {
  if (key == platform_admin && !granting.caller.may(platform_admin)) {
    throw forbidden("PERMISSION_DENIED", "Only a PlatformAdmin takes PlatformAdmin away.");
  }
  if (key == tenant_admin && !has_another_admin(tx, granting.tenant, user)) throw last_admin();
}

}  // namespace

bool is_permission_key(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  });
}

UserGrants find_grants(Tx& tx, const Granting& granting, const UserId& user) {
  require_user(tx, granting, user);
  return {user, tx.all(granted_in(granting.tenant, user))};
}

UserGrants set_grants(Tx& tx, const Granting& granting, const UserId& user, std::vector<std::string> keys,
                      Instant now) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  lock_grants(tx, granting.tenant);
  const UserGrants before = find_grants(tx, granting, user);
  for (const std::string& key : keys) {
    if (contains(before.keys, key)) continue;
    require_may_grant(granting, user, key);
    add_grant(tx, granting.tenant, user, key, now);
  }
  for (const std::string& key : before.keys) {
    if (contains(keys, key)) continue;
    require_may_remove(tx, granting, user, key);
    remove_grant(tx, granting.tenant, user, key);
  }
  const UserGrants after{user, std::move(keys)};
  audit_change(tx, granting.tenant, granting.actor, {"grants", user.text()}, &before, &after, now);
  return after;
}

void require_rank(Tx& tx, const http::Caller& caller, const UserId& user) {
  if (caller.may(platform_admin) || caller.user == user) return;
  for (const Grant& grant : tx.all(grants_everywhere(user))) {
    if (grant.tenant == caller.tenant && grant.key != platform_admin && caller.may(grant.key)) continue;
    throw forbidden("PERMISSION_DENIED", "This user holds permissions that you do not.");
  }
}

void require_not_last_admin(Tx& tx, const UserId& user) {
  for (const Grant& grant : tx.all(grants_everywhere(user))) {
    if (grant.key != tenant_admin) continue;
    lock_grants(tx, grant.tenant);
    if (!has_another_admin(tx, grant.tenant, user)) throw last_admin();
  }
}

}  // namespace guildhall
