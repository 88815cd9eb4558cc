#include "api/guards.h"
#include "base/url.h"
#include "features/identity/api_token.h"
#include "features/identity/auth_replies.h"
#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "features/identity/routes.h"
#include "features/identity/user_store.h"
#include "features/tenancy/tenant.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct LoginInput {
  Text<200> username;
  Text<256> password;
  std::optional<std::string> tenant_id;
  std::optional<Text<64>> code;  // of the second factor, or a recovery code
};
BOOST_DESCRIBE_STRUCT(LoginInput, (), (username, password, tenant_id, code))

struct TenantQuery {
  std::optional<std::string> tenant_id;
};
BOOST_DESCRIBE_STRUCT(TenantQuery, (), (tenant_id))

struct SwitchInput {
  TenantId tenant_id;
};
BOOST_DESCRIBE_STRUCT(SwitchInput, (), (tenant_id))

struct OwnTenant {
  TenantId tenant_id;
  std::string name;
};
BOOST_DESCRIBE_STRUCT(OwnTenant, (), (tenant_id, name))

struct OwnTenants {
  std::vector<OwnTenant> items;
};
BOOST_DESCRIBE_STRUCT(OwnTenants, (), (items))

struct LogoutQuery {
  Default<std::string> redirect_to{"/"};
};
BOOST_DESCRIBE_STRUCT(LogoutQuery, (), (redirect_to))

struct OkReply {
  bool ok = true;
};
BOOST_DESCRIBE_STRUCT(OkReply, (), (ok))

Task<Reply> log_in(Call& call, Auth& auth) {
  if (call.param(0) == "chat") {
    throw bad_request("PROVIDER_MISMATCH", "This way to sign in does not take a username and a password.");
  }
  if (call.param(0) != "local" || !auth.local_enabled) throw provider_not_configured();
  const auto query = call.query<TenantQuery>();
  const auto [input, problems] = call.partial_body<LoginInput>();
  const TenantId tenant =
      co_await tenant_named(auth.db, requested_tenant(call, problems, query.tenant_id, input.tenant_id));
  const Credentials credentials{.tenant = tenant,
                                .username = input.username,
                                .password = input.password,
                                .address = call.address,
                                .code = input.code,
                                .request_id = call.request.request_id};
  Session session = co_await auth.local.sign_in(credentials, call.now);
  co_return co_await signed_in(call, auth, session);
}

Reply who_am_i(Call& call, Auth&) {
  const api::Caller& caller = *call.caller;
  return api::json_reply(200, SessionReply<OwnUser>{{.session_id = caller.session_id,
                                                     .user = {caller.user, caller.tenant},
                                                     .permission_keys = caller.permissions}});
}

Failure tenant_access_denied() {
  return bad_request("TENANT_ACCESS_DENIED", "You have no access to this tenant.");
}

// The tenants that the caller can switch to, and the present one.
Task<Reply> list_tenants(Call& call, Auth& auth) {
  constexpr std::int64_t tenants_max = 200;
  const Session present = co_await present_session(call, auth);
  auto tenants = co_await auth.db.all([&] {
    if (present.provider == tenant_chat_provider) return tenant_by_id(call.tenant);
    if (call.caller->may(platform_admin)) return tenants_after(Position{}, tenants_max);
    return tenants_with_grants(present.user_tenant_id, present.user_id, tenants_max);
  }());
  std::ranges::sort(tenants, {}, &Tenant::name);
  OwnTenants own;
  for (const Tenant& tenant : tenants) own.items.push_back({tenant.tenant_id, tenant.name});
  co_return api::json_reply(200, own);
}

// The error is the same for a tenant that does not exist and for one in which the user has no grants. A session that
// was started through a tenant's own chat application cannot switch to another tenant.
Task<Reply> switch_tenant(Call& call, Auth& auth) {
  const auto input = call.body<SwitchInput>();
  const Session present = co_await present_session(call, auth);
  if (present.provider == tenant_chat_provider) throw tenant_access_denied();
  Session session = co_await auth.db.read([&](Tx& tx) {
    const auto user = tx.one(user_by_id(present.user_tenant_id, present.user_id));
    if (!user) throw unauthenticated();
    if (!tx.one(tenant_by_id(input.tenant_id))) throw tenant_access_denied();
    return session_for(tx, *user, input.tenant_id, auth.home_tenant, present.provider);
  });
  if (session.permission_keys.empty()) throw tenant_access_denied();
  session.epoch = present.epoch;
  session.expires_at = present.expires_at;
  co_return co_await signed_in(call, auth, session);
}

Task<Reply> log_out(Call& call, Auth& auth) {
  co_await leave(call, auth);
  co_return api::json_reply(200, OkReply{}).with("Set-Cookie", auth.sessions.removal_cookie());
}

Task<Reply> log_out_and_redirect(Call& call, Auth& auth) {
  const auto query = call.query<LogoutQuery>();
  co_await leave(call, auth);
  co_return Reply{.status = 302, .content_type = ""}
      .with("Location", is_own_path(query.redirect_to.value) ? header_url(query.redirect_to.value) : "/")
      .with("Set-Cookie", auth.sessions.removal_cookie());
}

}  // namespace

std::vector<api::Route> auth_routes(Auth& auth) {
  constexpr api::AddressLimit sign_outs{.endpoint = "sign_out", .per_minute = 3000};
  return {
      route(Method::post, "/auth/:provider/login", Access::optional, "Sign in with username and password", log_in, auth)
          .limited({.endpoint = "sign_in", .per_minute = auth.sign_ins_per_minute, .local_without_cache = true})
          .takes<LoginInput>()
          .takes_query<TenantQuery>()
          .gives<SessionReply<SessionUser>>(200, "Signed in; sets the session cookie."),
      route(Method::get, "/auth/me", Access::session, "The present session", who_am_i, auth)
          .gives<SessionReply<OwnUser>>(200, "The session."),
      route(Method::get, "/auth/tenants", Access::session, "The tenants that the caller can switch to", list_tenants,
            auth)
          .gives<OwnTenants>(200, "The tenants."),
      route(Method::post, "/auth/tenant", Access::session, "Switch to another tenant", switch_tenant, auth)
          .takes<SwitchInput>()
          .gives<SessionReply<SessionUser>>(200, "A new session in that tenant; sets the session cookie."),
      route(Method::post, "/auth/logout", Access::optional, "Sign out", log_out, auth)
          .limited(sign_outs)
          .gives<OkReply>(200, "Signed out; clears the cookie."),
      route(Method::get, "/auth/logout", Access::optional, "Sign out and go to a page", log_out_and_redirect, auth)
          .limited(sign_outs)
          .takes_query<LogoutQuery>()
          .gives(302, "Signed out; leads to redirectTo."),
  };
}

api::Authenticate authenticator(Auth& auth) {
  return [&auth](const http::Request& request) -> Task<std::shared_ptr<const api::Caller>> {
    if (const auto token = api::bearer_token(request)) {
      co_return co_await caller_with_token(auth.db, *token, auth.home_tenant, now());
    }
    const auto found = co_await auth.sessions.find(request, now());
    if (!found) co_return nullptr;
    co_return std::shared_ptr<const api::Caller>(found, &found->caller);
  };
}

}  // namespace guildhall
