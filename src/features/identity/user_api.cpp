#include "api/resource.h"
#include "base/password.h"
#include "base/text.h"
#include "features/action.h"
#include "features/identity/grant_actions.h"
#include "features/identity/grants.h"
#include "features/identity/routes.h"
#include "features/identity/user_actions.h"
#include "features/identity/user_store.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::size_t grant_keys_max = 50;

struct PasswordInput {
  Text<256, 8> password;
};
BOOST_DESCRIBE_STRUCT(PasswordInput, (), (password))

struct GrantsInput {
  std::vector<std::string> keys;
};
BOOST_DESCRIBE_STRUCT(GrantsInput, (), (keys))

UserId user_of(const Call& call) {
  return UserId(call.param(0));
}

Task<Reply> post_user(Call& call, Auth& auth) {
  const auto input = call.body<NewUser>();
  co_return co_await api::write_once(call, auth.db, [&](Tx& tx) {
    return api::record_reply(201, create_user(action_of(call, tx, auth.events), input, auth.admin_username));
  });
}

Task<Reply> get_user(Call& call, Auth& auth) {
  return api::find_one(auth.db, user_by_id(call.tenant, user_of(call)), "User");
}

Task<Reply> list_users(Call& call, Auth& auth) {
  return api::list_records<UserQuery, User>(call, auth.db, user_listing());
}

Task<Reply> patch_user(Call& call, Auth& auth) {
  return api::patch_one<UserPatch>(call, auth.db, [&](Tx& tx, const auto& edit) {
    return change_user(action_of(call, tx, auth.events), *call.caller, user_of(call), [&](User& user) {
      const std::string reserved = folded(auth.admin_username);
      const bool had_reserved = user.username_key.value == reserved;
      edit(user);
      if (user.username_key.value == reserved && !had_reserved) throw username_taken();
    });
  });
}

// Each of these changes the permissions of the user's sessions, which must be rechecked after the commit.
Task<Reply> erase_user(Call& call, Auth& auth) {
  co_await auth.db.write([&](Tx& tx) {
    remove_user(action_of(call, tx, auth.events), *call.caller, user_of(call),
                [&](const User& user) { call.require_match(user.version); });
  });
  co_await auth.sessions.recheck(user_of(call), call.now);
  co_return api::no_content();
}

Task<Reply> change_password(Call& call, Auth& auth) {
  const auto input = call.body<PasswordInput>();
  const std::string hash = co_await auth.workers.run([&] { return hash_password(input.password.value); });
  co_await auth.db.write(
      [&](Tx& tx) { set_password(action_of(call, tx, auth.events), *call.caller, user_of(call), hash); });
  co_await auth.sessions.recheck(user_of(call), call.now);
  co_return api::no_content();
}

Task<Reply> end_all_sessions(Call& call, Auth& auth) {
  co_await auth.db.write([&](Tx& tx) { end_sessions(action_of(call, tx, auth.events), *call.caller, user_of(call)); });
  co_await auth.sessions.recheck(user_of(call), call.now);
  co_return api::no_content();
}

Reply grants_reply(const UserGrants& grants) {
  return api::json_reply(200, grants).with("ETag", api::etag(version_of(grants)));
}

Task<Reply> read_grants(Call& call, Auth& auth) {
  co_return grants_reply(
      co_await auth.db.read([&](Tx& tx) { return find_grants(tx, call.tenant, *call.caller, user_of(call)); }));
}

std::string page_of_holders(Tx& tx, const TenantId& tenant, const api::ListQuery& query) {
  api::PageWriter page(query.size());
  Position position = query.start();  // only the id is used, since a holder has no date
  for (const GrantHolder& holder : grant_holders_after(tx, tenant, position.id, query.size() + 1)) {
    if (!page.add([&](std::string& out) { Codec<GrantHolder>::encode(out, holder); })) {
      return std::move(page).finish(position.cursor());
    }
    position.id = holder.user_id.text();
  }
  return std::move(page).finish(std::nullopt);
}

Task<Reply> list_grants(Call& call, Auth& auth) {
  const auto query = call.query<api::ListQuery>();
  Reply reply;
  reply.body = co_await auth.db.read([&](Tx& tx) { return page_of_holders(tx, call.tenant, query); });
  co_return reply;
}

void require_keys(const GrantsInput& input) {
  std::vector<Problem> problems;
  if (input.keys.size() > grant_keys_max) {
    problems.push_back({"keys", fmt::format("must be at most {} keys", grant_keys_max)});
  }
  for (std::size_t i = 0; i < std::min(input.keys.size(), grant_keys_max); ++i) {
    if (is_permission_key(input.keys[i])) continue;
    problems.push_back({fmt::format("keys[{}]", i), "must be 1 to 64 characters of A-Z a-z 0-9 . _ -"});
  }
  if (!problems.empty()) throw invalid_fields(std::move(problems));
}

Task<Reply> write_grants(Call& call, Auth& auth) {
  const auto input = api::judged_body<GrantsInput>(call, require_keys);
  const UserGrants after = co_await auth.db.write([&](Tx& tx) {
    return set_grants(action_of(call, tx, auth.events), {*call.caller, auth.home_tenant}, user_of(call), input.keys,
                      [&](const UserGrants& present) { call.require_match(version_of(present)); });
  });
  co_await auth.sessions.recheck(user_of(call), call.now);
  co_return grants_reply(after);
}

}  // namespace

std::vector<api::Route> user_routes(Auth& auth) {
  constexpr std::string_view all = "/api/data/user", one = "/api/data/user/:id";
  constexpr std::string_view grants = "/api/admin/grants/:userId";
  return {
      route(Method::post, all, Access::admin, "Create a user", post_user, auth)
          .with_deprecated_fields()
          .by_person()
          .takes<NewUser>()
          .gives<User>(201, "The new user."),
      route(Method::get, all, Access::data_read, "A page of the users", list_users, auth)
          .with_deprecated_fields()
          .takes_query<UserQuery>()
          .gives<api::ListPage<User>>(200, "The page."),
      route(Method::get, one, Access::data_read, "One user", get_user, auth)
          .with_deprecated_fields()
          .gives<User>(200, "The user."),
      route(Method::patch, one, Access::admin, "Change a user", patch_user, auth)
          .with_deprecated_fields()
          .by_person()
          .takes<UserPatch>()
          .gives<User>(200, "The changed user."),
      route(Method::del, one, Access::admin, "Delete a user", erase_user, auth)
          .by_person()
          .gives(204, "The user is gone."),
      route(Method::put, "/api/data/user/:id/password", Access::admin, "Set a user's password", change_password, auth)
          .by_person()
          .takes<PasswordInput>()
          .gives(204, "The password is set; the user's sessions have ended."),
      route(Method::del, "/api/data/user/:id/sessions", Access::admin, "End a user's sessions", end_all_sessions, auth)
          .by_person()
          .gives(204, "The user's sessions have ended."),
      route(Method::get, "/api/admin/grants", Access::admin, "Everybody who is granted something", list_grants, auth)
          .takes_query<api::ListQuery>()
          .gives<api::Page<GrantHolder>>(200, "A page of the holders, also those of other tenants."),
      route(Method::get, grants, Access::admin, "What a user is granted", read_grants, auth)
          .gives<UserGrants>(200, "The grants in the session's tenant."),
      route(Method::put, grants, Access::admin, "Set what a user is granted", write_grants, auth)
          .by_person()
          .takes<GrantsInput>()
          .gives<UserGrants>(200, "The grants in the session's tenant."),
  };
}

}  // namespace guildhall
