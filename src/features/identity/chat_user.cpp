#include "features/identity/chat_user.h"

#include "base/text.h"
#include "features/identity/grant_actions.h"
#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "features/identity/rank.h"
#include "features/identity/user_store.h"

namespace guildhall {
namespace {

User create(const ActionContext& context, const ChatProfile& profile, const ChatUserMaking& making) {
  const User user{.id = making.id.value_or(UserId::make(context.now)),
                  .tenant_id = context.tenant,
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
                  .created_at = context.now,
                  .updated_at = context.now,
                  .version = {1},
                  .username_key = {folded(profile.username)}};
  const bool reserved = user.username_key.value == folded(making.reserved_username);
  if (!reserved && insert_user(context.tx, user)) return user;
  User renamed = user;  // another user has the name and keeps it
  rename(renamed, user.username + "-" + user.id.text());
  if (!insert_user(context.tx, renamed)) throw WriteRace();
  return renamed;
}

}  // namespace

User find_or_create_chat_user(const ActionContext& context, const ChatProfile& profile, const ChatUserMaking& making) {
  Tx& tx = context.tx;
  const TenantId& tenant = context.tenant;
  auto user = tx.one(user_by_identity(tenant, making.identity_provider, profile.id));
  if (!user) {
    user = create(context, profile, making);
    if (!insert_identity(tx, tenant, making.identity_provider, profile.id, user->id, context.now)) throw WriteRace();
    context.audit_created({"user", user->id.text()}, *user);
  }
  if (making.first_becomes_admin && grant_first_admin(tx, tenant, user->id, context.now)) {
    const UserGrants none{user->id, {}}, granted{user->id, {std::string(tenant_admin)}};
    context.audit_change({"grants", user->id.text()}, &none, &granted);
    clear_password_of_lower_rank(context, {user->id, granted.keys, making.home_tenant});
    user = tx.one(user_by_id(tenant, user->id));
  }
  return std::move(*user);
}

}  // namespace guildhall
