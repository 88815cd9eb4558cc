#include "features/identity/user_actions.h"

#include "audit/audit.h"
#include "base/text.h"
#include "features/identity/grant_actions.h"
#include "features/identity/grants.h"
#include "features/identity/rank.h"
#include "features/identity/user_store.h"
#include "storage/record.h"

namespace guildhall {
namespace {

User require_user(Tx& tx, const api::Call& call, const UserId& id) {
  auto user = tx.one(user_by_id(call.tenant, id));
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

User create_user(Tx& tx, const api::Call& call, const NewUser& input, const std::string& admin_username) {
  User user = user_from(input, call.tenant, call.now);
  if (user.username_key.value == folded(admin_username) || !insert_user(tx, user)) throw username_taken();
  audit_change<User>(tx, call.tenant, call.actor(), {"user", user.id.text()}, nullptr, &user, call.now);
  return user;
}

User require_changeable_user(Tx& tx, const api::Call& call, const UserId& id) {
  require_user(tx, call, id);
  require_lasting_rank(tx, *call.caller, call.tenant, id, RankFor::user);
  return require_user(tx, call, id);
}

User change_user(Tx& tx, const api::Call& call, const UserId& id, FunctionRef<void(User&)> edit) {
  User user = require_user(tx, call, id);
  require_rank(tx, *call.caller, call.tenant, id, RankFor::user);  // before the request's fields are checked
  const User before = user;
  edit(user);
  if (!needs_write(before, user)) return before;
  require_lasting_rank(tx, *call.caller, call.tenant, id, RankFor::user);
  user.updated_at = call.now;
  update_user(tx, user);
  audit_change(tx, call.tenant, call.actor(), {"user", id.text()}, &before, &user, call.now);
  return user;
}

void remove_user(Tx& tx, const api::Call& call, const UserId& id) {
  const User user = require_user(tx, call, id);
  require_lasting_rank(tx, *call.caller, call.tenant, id, RankFor::user);
  call.require_match(user.version);
  require_not_last_admin(tx, user.tenant_id, id);
  remove_all_grants(tx, user.tenant_id, id);
  delete_user(tx, user);
  audit_change<User>(tx, call.tenant, call.actor(), {"user", id.text()}, &user, nullptr, call.now);
}

void set_password(Tx& tx, const api::Call& call, const UserId& id, const std::string& hash) {
  change_user(tx, call, id, [&](User& user) {
    user.password_set_by.value = password_setter(*call.caller, user);
    user.password_hash.value = hash;
    ++user.session_epoch.value;
  });
  audit(tx, call.tenant, call.actor(), {"user", id.text()}, "password_changed", "{}", call.now);
}

void end_sessions(Tx& tx, const api::Call& call, const UserId& id) {
  change_user(tx, call, id, [](User& user) { ++user.session_epoch.value; });
  audit(tx, call.tenant, call.actor(), {"user", id.text()}, "sessions_ended", "{}", call.now);
}

}  // namespace guildhall
