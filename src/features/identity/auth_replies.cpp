#include "features/identity/auth_replies.h"

#include "base/ascii.h"
#include "features/tenancy/tenant.h"

namespace guildhall {

namespace {

TenantId named_tenant(const api::Call& call, const std::optional<std::string>& in_query,
                      const std::optional<std::string>& in_body) {
  std::string tenant;
  for (const std::string_view named :
       {call.request.header("x-tenant-id"), std::string_view(in_query ? *in_query : std::string_view()),
        std::string_view(in_body ? *in_body : std::string_view())}) {
    if (named.empty()) continue;
    if (!tenant.empty() && tenant != named) {
      throw bad_request("TENANT_MISMATCH", "The request names two different tenants.");
    }
    tenant = named;
  }
  if (!tenant.empty()) return TenantId(tenant);
  if (call.caller && !call.caller->tenant.empty()) return call.caller->tenant;
  throw invalid_field("tenantId", "is required");
}

}  // namespace

TenantId requested_tenant(const api::Call& call, const std::vector<Problem>& problems,
                          const std::optional<std::string>& in_query, const std::optional<std::string>& in_body) {
  TenantId tenant;
  api::throw_all(problems, [&] { tenant = named_tenant(call, in_query, in_body); });
  return tenant;
}

Task<TenantId> tenant_named(Database& db, const TenantId& id_or_name) {
  if (co_await db.one(tenant_by_id(id_or_name))) co_return id_or_name;
  const auto named = co_await db.all(tenants_named(trim(id_or_name.text())));
  if (named.empty()) throw provider_not_configured();
  if (named.size() == 1) co_return named.front().tenant_id;
  throw bad_request("TENANT_AMBIGUOUS", "Several shops have this name. Sign in with the id of your shop instead.");
}

void require_local_sign_in(const Auth& auth) {
  if (auth.local_enabled) return;
  throw bad_request("LOCAL_AUTH_DISABLED", "This installation has no sign-in with a password.");
}

api::AddressLimit one_time_link_limit(const Auth& auth) {
  return {.endpoint = "one_time_link", .per_minute = auth.sign_ins_per_minute, .local_without_cache = true};
}

api::AddressLimit account_limit(const Auth& auth) {
  return {.endpoint = "account", .per_minute = auth.sign_ins_per_minute, .local_without_cache = true};
}

Task<Session> present_session(const api::Call& call, Auth& auth) {
  const auto found = co_await auth.sessions.find(call.request, call.now);
  if (!found) throw unauthenticated();
  co_return found->session;
}

Task<> leave(const api::Call& call, Auth& auth) {
  if (call.caller) co_await auth.sessions.end(call.caller->user, call.caller->session_id, call.now);
}

Task<http::Reply> signed_in(const api::Call& call, Auth& auth, Session& session) {
  std::string cookie = co_await auth.sessions.start(session, call.now);
  co_await leave(call, auth);
  const SessionReply<SessionUser> body{
      {.session_id = session.id,
       .user = {session.user_id, session.tenant_id, session.display_name, session.email},
       .permission_keys = session.must_enrol ? std::vector<std::string>() : session.permission_keys}};
  co_return api::json_reply(200, body).with("Set-Cookie", std::move(cookie));
}

}  // namespace guildhall
