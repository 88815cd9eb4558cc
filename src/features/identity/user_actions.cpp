#include "features/identity/user_actions.h"

#include "base/text.h"
#include "features/identity/grant_actions.h"
#include "features/identity/grants.h"
#include "features/identity/rank.h"
#include "features/identity/user_store.h"
#include "storage/record.h"

namespace guildhall {
namespace {

User require_user(const ActionContext& context, const UserId& id) {
  auto user = context.tx.one(user_by_id(context.tenant, id));
  if (!user) throw not_found("User");
  return std::move(*user);
}

}  // namespace

User user_of_caller(Tx& tx, const api::Call& call, const TenantId& home_tenant) {
  if (auto user = tx.one(user_by_id(call.tenant, call.user()))) return std::move(*user);
  for (const TenantId& granting : {call.tenant, home_tenant}) {
    const auto tenant = tx.one(tenant_of_holder(granting, call.user()));
    auto user = tenant ? tx.one(user_by_id(*tenant, call.user())) : std::nullopt;
    if (user) return std::move(*user);
  }
  throw not_found("User");
}

User create_user(const ActionContext& context, const NewUser& input, const std::string& admin_username) {
  User user = user_from(input, context.tenant, context.now);
  if (user.username_key.value == folded(admin_username) || !insert_user(context.tx, user)) throw username_taken();
  context.audit_created({"user", user.id.text()}, user);
  return user;
}

User require_changeable_user(const ActionContext& context, const api::Caller& caller, const UserId& id) {
  require_user(context, id);
  require_lasting_rank(context.tx, caller, context.tenant, id, RankFor::user);
  return require_user(context, id);
}

User change_user(const ActionContext& context, const api::Caller& caller, const UserId& id,
                 FunctionRef<void(User&)> edit) {
  User user = require_user(context, id);
  require_rank(context.tx, caller, context.tenant, id, RankFor::user);  // before the request's fields are checked
  const User before = user;
  edit(user);
  if (!needs_write(before, user)) return before;
  require_lasting_rank(context.tx, caller, context.tenant, id, RankFor::user);
  user.updated_at = context.now;
  update_user(context.tx, user);
  context.audit_change({"user", id.text()}, &before, &user);
  return user;
}

void remove_user(const ActionContext& context, const api::Caller& caller, const UserId& id,
                 FunctionRef<void(const User&)> precondition) {
  const User user = require_user(context, id);
  require_lasting_rank(context.tx, caller, context.tenant, id, RankFor::user);
  precondition(user);
  require_not_last_admin(context.tx, user.tenant_id, id);
  remove_all_grants(context.tx, user.tenant_id, id);
  delete_user(context.tx, user);
  context.emit(UserDeleted{user});
  context.audit_deleted({"user", id.text()}, user);
}

void set_password(const ActionContext& context, const api::Caller& caller, const UserId& id, const std::string& hash) {
  change_user(context, caller, id, [&](User& user) {
    user.password_set_by.value = password_setter(caller, user);
    user.password_hash.value = hash;
    ++user.session_epoch.value;
  });
  context.audit({"user", id.text()}, "password_changed");
}

void end_sessions(const ActionContext& context, const api::Caller& caller, const UserId& id) {
  change_user(context, caller, id, [](User& user) { ++user.session_epoch.value; });
  context.audit({"user", id.text()}, "sessions_ended");
}

}  // namespace guildhall
