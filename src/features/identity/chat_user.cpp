#include "features/identity/chat_user.h"

#include "audit/audit.h"
#include "base/text.h"
#include "features/identity/grant_actions.h"
#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "features/identity/rank.h"
#include "features/identity/user_store.h"

namespace guildhall {
namespace {

User create(Tx& tx, const TenantId& tenant, const ChatProfile& profile, const ChatUserMaking& making, Instant now) {
  const User user{.id = making.id.value_or(UserId::make(now)),
                  .tenant_id = tenant,
                  .username = profile.username,
                  .display_name = profile.display_name,
                  .email = profile.email,
                  .avatar_url = profile.avatar_url,
                  .chat_id = profile.id,
                  .roles = {},
                  .is_admin = false,
                  .customer_id = {},
                  .primary_customer_id = {},
                  .password_hash = {},
                  .password_set_by = {},
                  .session_epoch = {0},
                  .created_at = now,
                  .updated_at = now,
                  .version = {1},
                  .username_key = {folded(profile.username)}};
  const bool reserved = user.username_key.value == folded(making.reserved_username);
  if (!reserved && insert_user(tx, user)) return user;
  User renamed = user;  // another user has the name and keeps it
  rename(renamed, user.username + "-" + user.id.text());
  if (!insert_user(tx, renamed)) throw WriteRace();
  return renamed;
}

}  // namespace

User find_or_create_chat_user(Tx& tx, const TenantId& tenant, const ChatProfile& profile, const ChatUserMaking& making,
                              Instant now) {
  auto user = tx.one(user_by_identity(tenant, making.identity_provider, profile.id));
  if (!user) {
    user = create(tx, tenant, profile, making, now);
    if (!insert_identity(tx, tenant, making.identity_provider, profile.id, user->id, now)) throw WriteRace();
    audit_change<User>(tx, tenant, making.actor, {"user", user->id.text()}, nullptr, &*user, now);
  }
  if (making.first_becomes_admin && grant_first_admin(tx, tenant, user->id, now)) {
    const UserGrants none{user->id, {}}, granted{user->id, {std::string(tenant_admin)}};
    audit_change(tx, tenant, making.actor, {"grants", user->id.text()}, &none, &granted, now);
    clear_password_of_lower_rank(tx, {tenant, user->id, granted.keys, making.home_tenant, making.actor}, now);
    user = tx.one(user_by_id(tenant, user->id));
  }
  return std::move(*user);
}

}  // namespace guildhall
