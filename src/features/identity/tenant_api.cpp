#include "api/resource.h"
#include "features/action.h"
#include "features/identity/permissions.h"
#include "features/identity/routes.h"
#include "features/identity/tenant_actions.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

// The tenant in the path: the caller's own, or any tenant for a PlatformAdmin. Throws not_found otherwise.
TenantId tenant_in_path(const Call& call) {
  TenantId id(call.param(0));
  if (id != call.tenant && !call.caller->may(platform_admin)) throw not_found("Tenant");
  return id;
}

Task<Reply> post_tenant(Call& call, Auth& auth) {
  const auto input = call.body_of<NewTenant>({});
  Reply reply = co_await api::write_once(call, auth.db, [&](Tx& tx) {
    const Tenant created = create_tenant(action_of(call, tx, auth.events).in_tenant(auth.home_tenant), input);
    return api::record_reply(201, view_of(created));
  });
  co_await auth.sessions.recheck(input.owner_user_id, call.now);
  co_return reply;
}

Task<Reply> get_tenant(Call& call, Auth& auth) {
  const auto tenant = co_await auth.db.one(tenant_by_id(tenant_in_path(call)));
  if (!tenant) throw not_found("Tenant");
  co_return api::record_reply(200, view_of(*tenant));
}

std::vector<TenantView> views_of(const std::vector<Tenant>& tenants) {
  std::vector<TenantView> views;
  for (const Tenant& tenant : tenants) views.push_back(view_of(tenant));
  return views;
}

Task<Reply> list_tenant_pages(Call& call, Auth& auth) {
  const auto query = call.query<api::ListQuery>();
  const Position position = query.start();
  if (!call.caller->may(platform_admin)) {
    auto own = co_await auth.db.all(tenant_by_id(call.tenant));
    std::erase_if(own, [&](const Tenant& tenant) {
      return std::pair(tenant.created_at, tenant.tenant_id.text()) >= std::pair(position.created_at, position.id);
    });
    co_return api::json_reply(200, api::Page<TenantView>{views_of(own), std::nullopt});
  }
  co_return co_await api::read_page(auth.db, query, [](const Position& after, std::int64_t rows) {
    return Select<TenantView>{tenants_after(after, rows).query,
                              [](const Row& row) { return view_of(read_row<Tenant>(row)); }};
  });
}

Task<Reply> patch_tenant(Call& call, Auth& auth) {
  const auto changes = call.body_of<TenantPatch>(TenantId(call.param(0)));
  const TenantId id = tenant_in_path(call);
  co_return co_await auth.db.write([&](Tx& tx) {
    return api::record_reply(200,
                             view_of(change_tenant(action_of(call, tx, auth.events).in_tenant(id), [&](Tenant& tenant) {
                               apply(changes, tenant);
                               call.require_match(tenant.version);
                             })));
  });
}

Task<Reply> erase_tenant(Call& call, Auth& auth) {
  const TenantId id = tenant_in_path(call);
  const RemovedTenant removed = co_await auth.db.write([&](Tx& tx) {
    return remove_tenant(action_of(call, tx, auth.events).in_tenant(id), [&](const Tenant& tenant) {
      call.require_match(tenant.version);
      if (id != auth.home_tenant) return;
      throw conflict("DEFAULT_TENANT", "The default tenant cannot be deleted.");
    });
  });
  for (const UserId& member : removed.members) co_await auth.sessions.recheck(member, call.now);
  co_return api::no_content();
}

struct GiveUpInput {
  std::optional<Text<64>> code;
};
BOOST_DESCRIBE_STRUCT(GiveUpInput, (), (code))

struct GiveUpReply {
  std::optional<TenantId> tenant_id;
  std::optional<std::string> name;
  std::int64_t servers = 0;
};
BOOST_DESCRIBE_STRUCT(GiveUpReply, (), (tenant_id, name, servers))

Task<Reply> give_up(Call& call, Auth& auth) {
  const auto input = call.body<GiveUpInput>();
  std::vector<UserId> members;
  const Reply reply = co_await api::write_once(call, auth.db, [&](Tx& tx) {
    const GivenUpShop given = give_up_shop(action_of(call, tx, auth.events), auth.home_tenant,
                                           input.code ? std::optional(input.code->value) : std::nullopt);
    members = given.removed.members;
    GiveUpReply body{.tenant_id = {}, .name = {}, .servers = given.servers};
    if (given.into) {
      body.tenant_id = given.into->tenant_id;
      body.name = given.into->name;
    }
    return api::json_reply(200, body);
  });
  for (const UserId& member : members) co_await auth.sessions.recheck(member, call.now);
  co_return reply;
}

}  // namespace

std::vector<api::Route> tenant_routes(Auth& auth) {
  constexpr std::string_view all = "/api/data/tenant", one = "/api/data/tenant/:id";
  return {
      route(Method::post, all, Access::platform_admin, "Create a tenant", post_tenant, auth)
          .with_deprecated_fields()
          .by_person()
          .takes<NewTenant>()
          .gives<TenantView>(201, "The new tenant; its owner is TenantAdmin there."),
      route(Method::get, all, Access::admin, "A page of the tenants: one's own, or all for a PlatformAdmin",
            list_tenant_pages, auth)
          .with_deprecated_fields()
          .takes_query<api::ListQuery>()
          .gives<api::Page<TenantView>>(200, "The page."),
      route(Method::get, one, Access::admin, "One tenant", get_tenant, auth)
          .with_deprecated_fields()
          .gives<TenantView>(200, "The tenant."),
      route(Method::patch, one, Access::admin, "Change a tenant", patch_tenant, auth)
          .with_deprecated_fields()
          .by_person()
          .takes<TenantPatch>()
          .gives<TenantView>(200, "The changed tenant."),
      route(Method::del, one, Access::platform_admin, "Delete a tenant", erase_tenant, auth)
          .by_person()
          .gives(204, "The tenant is gone; its id stays taken."),
      route(Method::post, "/api/admin/give-up", Access::tenant_admin, "Give up an empty shop", give_up, auth)
          .by_person()
          .takes<GiveUpInput>()
          .gives<GiveUpReply>(200, "The shop is gone; names the shop that has its chat servers now, if there is one."),
  };
}

}  // namespace guildhall
