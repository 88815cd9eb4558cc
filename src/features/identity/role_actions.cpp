#include "features/identity/role_actions.h"

#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "features/identity/rank.h"
#include "storage/record.h"

namespace guildhall {
namespace {

// Locks the holders and then the tenant's grants, in the order of grants.h, and returns the holders.
std::vector<KeyHolder> locked_holders(const ActionContext& context, const Granting& granting, const std::string& name) {
  Tx& tx = context.tx;
  const auto select = holders_of_key(context.tenant, name, role_holders_max + 1);
  const auto holders = tx.all(select);
  if (std::ssize(holders) > role_holders_max) {
    throw conflict("ROLE_FULL", fmt::format("More than {} users hold {}.", role_holders_max, name));
  }
  for (const KeyHolder& holder : holders) {
    require_lasting_rank(tx, granting.caller, holder.user_tenant, holder.user, RankFor::grants);
  }
  lock_grants(tx, context.tenant);
  if (tx.all(select) != holders) throw WriteRace();
  return holders;
}

void require_may_give(const Granting& granting, const std::vector<KeyHolder>& holders,
                      const std::vector<std::string>& keys) {
  const api::Caller& caller = granting.caller;
  const bool holds_role =
      std::any_of(holders.begin(), holders.end(), [&](const KeyHolder& holder) { return holder.user == caller.user; });
  for (const std::string& key : keys) {
    const bool may_give = holds(caller.permissions, key) || (is_custom_key(key) && caller.may(tenant_admin));
    if (holds_role ? caller.may(key) : may_give) continue;
    throw forbidden("PERMISSION_DENIED", fmt::format("You do not hold {} yourself.", key));
  }
}

void require_no_roles(const ActionContext& context, const CustomRole& role) {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < role.keys.size(); ++i) {
    if (role.keys[i] != role.name && !context.tx.one(role_by_name(context.tenant, role.keys[i]))) continue;
    problems.push_back({"keys", fmt::format("{} is a role: name its keys instead", role.keys[i])});
  }
  if (!problems.empty()) throw invalid_fields(std::move(problems));
}

void clear_passwords(const ActionContext& context, const Granting& granting, const std::vector<KeyHolder>& holders,
                     const std::vector<std::string>& added) {
  for (const KeyHolder& holder : holders) {
    clear_password_of_lower_rank(context, {holder.user, added, granting.home_tenant});
  }
}

CustomRole require_role(const ActionContext& context, const std::string& name) {
  auto role = context.tx.one(role_by_name(context.tenant, name));
  if (!role) throw not_found("Role");
  return std::move(*role);
}

}  // namespace

CustomRole create_role(const ActionContext& context, const Granting& granting, const NewCustomRole& input) {
  Tx& tx = context.tx;
  const CustomRole role = role_from(input, context.tenant, context.now);
  require_may_give(granting, {}, role.keys);
  lock_grants(tx, context.tenant);
  require_no_roles(context, role);
  const auto roles = tx.all(roles_of(context.tenant));
  if (std::any_of(roles.begin(), roles.end(), [&](const CustomRole& other) { return other.name == role.name; })) {
    throw bad_request("ROLE_TAKEN", "There is a role with this name already.");
  }
  if (std::ssize(roles) >= roles_max) {
    throw bad_request("TOO_MANY_ROLES", fmt::format("A tenant has at most {} roles.", roles_max));
  }
  if (tx.one(holders_of_key(context.tenant, role.name, 1))) {
    throw conflict("KEY_IN_USE", "Somebody holds a key of this name: take it away first.");
  }
  insert_role(tx, role);
  context.audit_created({"role", role.name}, role);
  return role;
}

ChangedRole change_role(const ActionContext& context, const Granting& granting, const std::string& name,
                        FunctionRef<void(CustomRole&)> edit) {
  CustomRole role = require_role(context, name);
  const CustomRole before = role;
  const auto holders = locked_holders(context, granting, name);
  require_may_give(granting, holders, before.keys);
  edit(role);
  require_may_give(granting, holders, role.keys);
  require_no_roles(context, role);
  if (!needs_write(before, role)) return {before, {}};
  role.updated_at = context.now;
  update_role(context.tx, role);
  std::vector<std::string> added;
  std::set_difference(role.keys.begin(), role.keys.end(), before.keys.begin(), before.keys.end(),
                      std::back_inserter(added));
  clear_passwords(context, granting, holders, added);
  context.audit_change({"role", name}, &before, &role);
  return {role, holders};
}

void remove_role(const ActionContext& context, const Granting& granting, const std::string& name,
                 FunctionRef<void(const CustomRole&)> check) {
  const CustomRole role = require_role(context, name);
  const auto holders = locked_holders(context, granting, name);
  require_may_give(granting, holders, role.keys);
  check(role);
  if (!holders.empty()) throw conflict("ROLE_IN_USE", "Somebody holds this role: take it away first.");
  delete_role(context.tx, role);
  context.audit_deleted({"role", name}, role);
}

}  // namespace guildhall
