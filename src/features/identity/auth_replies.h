#pragma once

#include <string>
#include <vector>

#include "api/route.h"
#include "base/declared.h"
#include "features/identity/auth.h"

// Shared by all ways to sign in: finds the tenant, and replies with a new session.
namespace guildhall {

struct SessionUser {
  UserId user_id;
  TenantId tenant_id;
  std::string display_name;
  std::string email;
};
BOOST_DESCRIBE_STRUCT(SessionUser, (), (user_id, tenant_id, display_name, email))

struct OwnUser {
  UserId user_id;
  TenantId tenant_id;
};
BOOST_DESCRIBE_STRUCT(OwnUser, (), (user_id, tenant_id))

template <class User>
struct SessionObject {
  std::string session_id;
  User user;
  std::vector<std::string> permission_keys;

  BOOST_DESCRIBE_CLASS(SessionObject, (), (session_id, user, permission_keys), (), ())
};

template <class User>
struct SessionReply {
  SessionObject<User> session;

  BOOST_DESCRIBE_CLASS(SessionReply, (), (session), (), ())
};

// The tenant to sign in to: named in the header, the query or the body, or else that of the present session. Throws
// bad_request, together with the other problems of the request, if the names differ or there is none.
TenantId requested_tenant(const api::Call& call, const std::vector<Problem>& problems,
                          const std::optional<std::string>& in_query,
                          const std::optional<std::string>& in_body = std::nullopt);

// The tenant with this id, or else the only one with this name, in any case. Throws not_found if there is none, and
// bad_request TENANT_AMBIGUOUS, which names no tenant, if several have the name.
Task<TenantId> tenant_named(Database& db, const TenantId& id_or_name);

// Throws bad_request if nobody can sign in with a password, so that a password would be of no use.
void require_local_sign_in(const Auth& auth);

// The limit of requests from one address to links that anybody may call, and to changes of one's own account.
api::AddressLimit one_time_link_limit(const Auth& auth);
api::AddressLimit account_limit(const Auth& auth);

// The present session. Throws unauthenticated if it has just ended.
Task<Session> present_session(const api::Call& call, Auth& auth);

// Ends the present session, if there is one.
Task<> leave(const api::Call& call, Auth& auth);

// Starts the session and returns the reply. Every sign-in and every switch of the tenant creates a new session id and
// ends the present session.
Task<http::Reply> signed_in(const api::Call& call, Auth& auth, Session& session);

}  // namespace guildhall
