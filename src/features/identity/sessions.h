#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/call.h"
#include "base/declared.h"
#include "base/signing_keys.h"
#include "cache/cache.h"
#include "features/identity/recent_sessions.h"
#include "features/identity/user.h"
#include "storage/database.h"

namespace guildhall {

// A session as stored in the cache, under a hash of its id.
struct Session {
  Hidden<std::string> id;
  UserId user_id;
  TenantId user_tenant_id;  // of the user's record
  TenantId tenant_id;       // in which the session acts
  std::string display_name;
  std::string email;  // may be empty
  std::vector<std::string> permission_keys;
  std::int64_t epoch = 0;  // the user's session_epoch at the sign-in
  std::string provider;
  Instant started_at;
  Instant expires_at;
  Instant checked_at;  // when the database last confirmed it; the next request after a minute reads it again
  std::string mark;    // changed by each recheck(), so that an older result cannot overwrite a newer one
  // The tenant requires a second factor, and the user has none. The permissions do not count until there is one. A
  // session through the chat platform never has to enrol: the platform decides how its users prove who they are.
  Default<bool> must_enrol{false};
};
BOOST_DESCRIBE_STRUCT(Session, (),
                      (id, user_id, user_tenant_id, tenant_id, display_name, email, permission_keys, epoch, provider,
                       started_at, expires_at, checked_at, mark, must_enrol))

// A session with what a request needs of it. Requests share it, since copying it would take longer than finding it.
struct ActiveSession {
  Session session;
  api::Caller caller;
};

// The provider of sessions that were started with a password.
constexpr std::string_view local_provider = "local";

// A session in a list. The handle identifies it, but cannot be used to sign in.
struct ListedSession {
  std::string handle;
  TenantId tenant_id;
  std::string provider;
  Instant started_at;
  Instant expires_at;
};
BOOST_DESCRIBE_STRUCT(ListedSession, (), (handle, tenant_id, provider, started_at, expires_at))

using SessionListEdit = std::function<void(std::vector<ListedSession>&)>;

struct SessionOptions {
  std::vector<std::string> signing_secrets;  // the first signs, all verify
  std::chrono::seconds ttl{8 * 60 * 60};
  bool secure_cookies = false;
  bool members_have_data_access = false;  // MEMBER_DATA_ACCESS=full: every session may read and write data
  TenantId home_tenant;                   // the tenant in which PlatformAdmin is granted
};

// Sessions of this loop's cache, and the signed cookie `service_auth` that carries their ids.
//
// The database decides what a session may do; the cache stores the result for a minute. Code that changes a user's
// grants or ends their sessions must call recheck() after the commit: it marks all sessions of the user, and the next
// request of each reads the database again. A new session is added to the user's list before it is stored, and reads
// the database at its first request, so recheck() misses none.
class Sessions {
 public:
  static constexpr std::string_view cookie_name = "service_auth";
  static constexpr std::chrono::minutes check_every{1};
  static constexpr std::size_t sessions_per_user_max = 100;  // one more ends the oldest

  Sessions(Cache& cache, Database& db, const SessionOptions& options);

  // Gives the session a new id, stores it, and adds the permissions that every member has. Returns the Set-Cookie
  // value. A session without an expiry gets the configured lifetime.
  Task<std::string> start(Session& session, Instant now);

  // The session of the request's cookie. Null if the signature is invalid or the session has ended.
  Task<std::shared_ptr<const ActiveSession>> find(const http::Request& request, Instant now);

  // The user's sessions, oldest first.
  Task<std::vector<ListedSession>> of_user(const UserId& user, Instant now);

  // Ends the user's session with that id. Throws Failure unavailable if the session may still be valid.
  Task<> end(const UserId& user, std::string_view id, Instant now);

  // Ends the session with that handle. Returns false if the user has no such session.
  Task<bool> end_listed(const UserId& user, std::string_view handle, Instant now);

  // Makes every session of the user read the database again. It is called after the commit, so it does not throw if the
  // cache is unavailable: each session reads the database within check_every anyway.
  Task<> recheck(const UserId& user, Instant now);

  std::string removal_cookie() const;
  bool secure_cookies() const { return options_.secure_cookies; }

 private:
  void add_member_keys(Session& session) const;
  std::string key_for(std::string_view cookie) const;
  std::shared_ptr<const ActiveSession> active(Session session) const;
  std::shared_ptr<const ActiveSession> session_in(const std::string& kept, std::string_view cookie,
                                                  const std::string& key);
  Task<std::optional<Session>> checked(Session session, const std::string& kept, Instant now);
  Task<> refresh(const std::string& key, const std::string& kept, const std::string& fresh);
  Task<> remove(const UserId& user, std::string_view handle, Instant now);
  Task<> mark_all(const UserId& user, Instant now);
  Task<> mark(const std::string& key);
  Task<> edit_list(const UserId& user, SessionListEdit edit, Instant now);

  Cache& cache_;
  Database& db_;
  SigningKeys signer_;
  SessionOptions options_;
  RecentSessions<std::shared_ptr<const ActiveSession>> recent_;
};

// A hash of a session's id, which is used in the cache and in lists instead of the id.
std::string session_handle(std::string_view id);

// A session for a user who has just signed in, with the user's permissions in the tenant.
Session session_for(Tx& tx, const User& user, const TenantId& tenant, const TenantId& home_tenant,
                    std::string_view provider);

// The id in a cookie's value `<id>.<signature>`. Nothing if the signature is invalid.
std::optional<std::string_view> signed_id(std::string_view cookie, const SigningKeys& signer);

}  // namespace guildhall
