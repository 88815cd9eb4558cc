#include "features/identity/rank.h"

#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "features/identity/user_store.h"

namespace guildhall {
namespace {

bool is_held(const api::Caller& caller, const Grant& grant, RankFor what) {
  if (caller.may(platform_admin)) return true;
  if (grant.key == platform_admin) return false;
  if (grant.tenant != caller.tenant) return what == RankFor::grants;
  if (holds(caller.permissions, grant.key)) return true;
  return what == RankFor::grants && is_custom_key(grant.key) && caller.may(tenant_admin);
}

// Locks and returns the user with this id, of this tenant or else of another.
std::optional<User> user_granted_in(Tx& tx, const TenantId& tenant, const UserId& id) {
  auto found = tx.one(user_by_id(tenant, id));
  if (!found) found = tx.one(user_anywhere(id));
  if (!found) return std::nullopt;
  lock_user(tx, found->tenant_id, id);
  return tx.one(user_by_id(found->tenant_id, id));
}

bool setter_holds(const ActionContext& context, const User& user, const Promotion& promotion) {
  const auto& setter_id = user.password_set_by.value;
  if (!setter_id) return false;
  if (*setter_id == user.id.text()) return true;
  const auto setter = context.tx.one(user_anywhere(UserId(*setter_id)));
  if (!setter) return false;
  const auto held =
      with_implied(context.tx.all(grants_of(context.tenant, setter->tenant_id, setter->id, promotion.home_tenant)));
  return std::all_of(promotion.keys.begin(), promotion.keys.end(),
                     [&](const std::string& key) { return holds(held, key); });
}

}  // namespace

void require_rank(Tx& tx, const api::Caller& caller, const TenantId& user_tenant, const UserId& user, RankFor what) {
  if (what == RankFor::user && caller.user == user && caller.may_change_itself()) return;
  for (const Grant& grant : tx.all(grants_everywhere(user_tenant, user))) {
    if (!is_held(caller, grant, what)) {
      throw forbidden("PERMISSION_DENIED", "This user holds permissions that you do not.");
    }
  }
}

void require_lasting_rank(Tx& tx, const api::Caller& caller, const TenantId& user_tenant, const UserId& user,
                          RankFor what) {
  lock_user(tx, user_tenant, user);
  require_rank(tx, caller, user_tenant, user, what);
}

void clear_password_of_lower_rank(const ActionContext& context, const Promotion& promotion) {
  if (promotion.keys.empty()) return;
  auto user = user_granted_in(context.tx, context.tenant, promotion.user);
  if (!user || !user->password_hash.value || setter_holds(context, *user, promotion)) return;
  user->password_hash.value.reset();
  user->password_set_by.value.reset();
  ++user->session_epoch.value;
  update_user(context.tx, *user);
  context.in_tenant(user->tenant_id).audit({"user", user->id.text()}, "password_cleared");
}

std::optional<api::Caller> present_caller(Tx& tx, const LinkMaker& maker, const TenantId& tenant,
                                          const TenantId& home_tenant) {
  if (!tx.one(user_by_id(maker.user_tenant, maker.user))) return std::nullopt;
  auto grants = tx.all(grants_of(tenant, maker.user_tenant, maker.user, home_tenant));
  if (maker.through_application) std::erase(grants, platform_admin);
  return api::Caller{.session_id = {},
                     .user = maker.user,
                     .tenant = tenant,
                     .permissions = with_implied(grants),
                     .through_tenants_application = maker.through_application};
}

std::optional<std::string> password_setter(const api::Caller& caller, const User& user) {
  // The tenant's admin controls the tenant's own chat application, so such a session does not prove who the caller is.
  if (!caller.may_change_itself()) return std::nullopt;
  if (caller.user != user.id) return caller.user.text();
  // The person who set the present password may be the caller, signed in as the user.
  return user.password_hash.value ? user.password_set_by.value : user.id.text();
}

}  // namespace guildhall
