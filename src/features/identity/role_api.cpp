#include "api/resource.h"
#include "features/action.h"
#include "features/identity/auth_replies.h"
#include "features/identity/permissions.h"
#include "features/identity/role_actions.h"
#include "features/identity/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::int64_t custom_keys_listed_max = 200;

struct RoleList {
  std::vector<CustomRole> items;
};
BOOST_DESCRIBE_STRUCT(RoleList, (), (items))

struct PermissionList {
  std::vector<PermissionKey> items;
};
BOOST_DESCRIBE_STRUCT(PermissionList, (), (items))

Granting granting(const Call& call, const Auth& auth) {
  return {*call.caller, auth.home_tenant};
}

// The permissions of all holders change with the role.
Task<> recheck(Auth& auth, const std::vector<KeyHolder>& holders, Instant now) {
  for (const KeyHolder& holder : holders) co_await auth.sessions.recheck(holder.user, now);
}

Task<> refuse_role(const Call& call, const api::Partial<NewCustomRole>& body) {
  api::throw_all(body.problems, [&] { role_from(body.value, call.tenant, call.now); });
  co_return;
}

Task<Reply> post_role(Call& call, Auth& auth) {
  const auto create = [&](Tx& tx, const NewCustomRole& input) {
    return create_role(action_of(call, tx, auth.events), granting(call, auth), input);
  };
  return api::create_one<NewCustomRole>(call, auth.db, create, api::ReadNothing(),
                                        [&](const auto& body) { return refuse_role(call, body); });
}

Task<Reply> list_roles(Call& call, Auth& auth) {
  co_return api::json_reply(200, RoleList{co_await auth.db.all(roles_of(call.tenant))});
}

Task<Reply> get_role(Call& call, Auth& auth) {
  return api::find_one(auth.db, role_by_name(call.tenant, call.param(0)), "Role");
}

Task<Reply> patch_role(Call& call, Auth& auth) {
  std::vector<KeyHolder> holders;
  Reply reply = co_await api::patch_one<CustomRolePatch>(call, auth.db, [&](Tx& tx, const auto& edit) {
    ChangedRole changed = change_role(action_of(call, tx, auth.events), granting(call, auth), call.param(0),
                                      [&](CustomRole& role) { edit(role); });
    holders = std::move(changed.holders);
    return changed.role;
  });
  co_await recheck(auth, holders, call.now);
  co_return reply;
}

Task<Reply> erase_role(Call& call, Auth& auth) {
  co_return co_await api::delete_one(call, auth.db, [&](Tx& tx, const auto& precondition) {
    remove_role(action_of(call, tx, auth.events), granting(call, auth), call.param(0),
                [&](const CustomRole& role) { precondition(role); });
  });
}

PermissionList all_permissions(Tx& tx, const TenantId& tenant) {
  PermissionList all{known_permissions()};
  for (CustomRole& role : tx.all(roles_of(tenant))) {
    all.items.push_back({role.name, role.description.value_or("A role of this shop."), std::move(role.keys)});
  }
  for (std::string& key : granted_custom_keys(tx, tenant, custom_keys_listed_max)) {
    all.items.push_back({std::move(key),
                         "A key of this shop. It can be named where the shop asks for keys, such as the"
                         " roles that approve disbursements of the community fund.",
                         {}});
  }
  return all;
}

Task<Reply> list_permissions(Call& call, Auth& auth) {
  co_return api::json_reply(200, co_await auth.db.read([&](Tx& tx) { return all_permissions(tx, call.tenant); }));
}

}  // namespace

std::vector<api::Route> role_routes(Auth& auth) {
  constexpr std::string_view all = "/api/admin/roles", one = "/api/admin/roles/:name";
  return {
      route(Method::get, all, Access::admin, "The shop's own roles", list_roles, auth)
          .gives<RoleList>(200, "All of them, sorted by name."),
      route(Method::post, all, Access::admin, "Create a role: a named set of permission keys", post_role, auth)
          .by_person()
          .takes<NewCustomRole>()
          .gives<CustomRole>(201, "The role; grant its name as a key."),
      route(Method::get, one, Access::admin, "One role", get_role, auth).gives<CustomRole>(200, "The role."),
      route(Method::patch, one, Access::admin, "Change a role, and so what its holders may do", patch_role, auth)
          .by_person()
          .takes<CustomRolePatch>()
          .gives<CustomRole>(200, "The changed role; it applies to all holders at once."),
      route(Method::del, one, Access::admin, "Delete a role that nobody holds", erase_role, auth)
          .by_person()
          .gives(204, "The role is gone."),
      route(Method::get, "/api/admin/permissions", Access::admin, "All permission keys and what they allow",
            list_permissions, auth)
          .gives<PermissionList>(200,
                                 "The keys that routes ask for, the built-in roles, and the shop's own roles and"
                                 " keys."),
  };
}

}  // namespace guildhall
