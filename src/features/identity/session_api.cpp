#include "features/identity/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct OwnSession {
  std::string id;  // for DELETE /auth/sessions/:id; cannot be used to sign in
  TenantId tenant_id;
  std::string provider;
  Instant created_at;
  Instant expires_at;
  bool current = false;
};
BOOST_DESCRIBE_STRUCT(OwnSession, (), (id, tenant_id, provider, created_at, expires_at, current))

struct OwnSessions {
  std::vector<OwnSession> items;
};
BOOST_DESCRIBE_STRUCT(OwnSessions, (), (items))

struct EndQuery {
  Default<bool> others{false};
};
BOOST_DESCRIBE_STRUCT(EndQuery, (), (others))

// The sessions that the caller may see and end. A session that was started through a tenant's own chat application may
// only see and end sessions that were started in the same way.
Task<std::vector<ListedSession>> manageable_sessions(const Call& call, Auth& auth) {
  auto sessions = co_await auth.sessions.of_user(call.user(), call.now);
  if (call.caller->through_tenants_application) {
    std::erase_if(sessions, [](const ListedSession& listed) { return listed.provider != tenant_chat_provider; });
  }
  co_return sessions;
}

Task<Reply> list_sessions(Call& call, Auth& auth) {
  const std::string current = session_handle(call.caller->session_id);
  OwnSessions own;
  for (const ListedSession& listed : co_await manageable_sessions(call, auth)) {
    own.items.push_back({.id = listed.handle,
                         .tenant_id = listed.tenant_id,
                         .provider = listed.provider,
                         .created_at = listed.started_at,
                         .expires_at = listed.expires_at,
                         .current = listed.handle == current});
  }
  std::reverse(own.items.begin(), own.items.end());
  co_return api::json_reply(200, own);
}

Task<Reply> end_one(Call& call, Auth& auth) {
  const auto sessions = co_await manageable_sessions(call, auth);
  const auto is_it = [&](const ListedSession& listed) { return listed.handle == call.param(0); };
  if (std::none_of(sessions.begin(), sessions.end(), is_it) ||
      !co_await auth.sessions.end_listed(call.user(), call.param(0), call.now)) {
    throw not_found("Session");
  }
  Reply reply = api::no_content();
  if (call.param(0) == session_handle(call.caller->session_id)) {
    reply.with("Set-Cookie", auth.sessions.removal_cookie());
  }
  co_return reply;
}

Task<Reply> end_all(Call& call, Auth& auth) {
  const bool others = call.query<EndQuery>().others;
  const std::string current = session_handle(call.caller->session_id);
  for (const ListedSession& listed : co_await manageable_sessions(call, auth)) {
    if (!others || listed.handle != current) co_await auth.sessions.end_listed(call.user(), listed.handle, call.now);
  }
  Reply reply = api::no_content();
  if (others) co_return reply;
  co_await auth.sessions.end(call.user(), call.caller->session_id, call.now);
  co_return std::move(reply).with("Set-Cookie", auth.sessions.removal_cookie());
}

}  // namespace

std::vector<api::Route> session_routes(Auth& auth) {
  return {
      route(Method::get, "/auth/sessions", Access::session, "One's own sessions", list_sessions, auth)
          .gives<OwnSessions>(200, "The sessions, newest first."),
      route(Method::del, "/auth/sessions", Access::session, "End one's own sessions", end_all, auth)
          .takes_query<EndQuery>()
          .gives(204, "All have ended; with others=true all but this one."),
      route(Method::del, "/auth/sessions/:id", Access::session, "End one of one's own sessions", end_one, auth)
          .gives(204, "It has ended."),
  };
}

}  // namespace guildhall
