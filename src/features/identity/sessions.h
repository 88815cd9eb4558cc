#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/call.h"
#include "base/crypto.h"
#include "base/declared.h"
#include "cache/cache.h"
#include "features/identity/recent_sessions.h"
#include "features/identity/user.h"
#include "storage/database.h"

namespace guildhall {

// What the cache keeps of a session, under a hash of its id.
struct Session {
  Hidden<std::string> id;
  UserId user_id;
  TenantId user_tenant_id;  // where the user's record is
  TenantId tenant_id;       // where the session works
  std::string display_name;
  std::string email;  // empty when the user has none
  std::vector<std::string> permission_keys;
  std::int64_t epoch = 0;  // the user's session_epoch when they proved who they are
  std::string provider;
  Instant started_at;
  Instant expires_at;
  Instant checked_at;  // when the database last said so; long ago: the next request asks again
  std::string mark;    // a new one with every request to check again, so that an older answer cannot overwrite it
};
BOOST_DESCRIBE_STRUCT(Session, (),
                      (id, user_id, user_tenant_id, tenant_id, display_name, email, permission_keys, epoch, provider,
                       started_at, expires_at, checked_at, mark))

// A session as a list shows it: the handle tells it apart, but does not sign in.
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
  std::string signing_secret;
  std::chrono::seconds ttl{8 * 60 * 60};
  bool secure_cookies = false;
  bool members_have_data_access = false;  // MEMBER_DATA_ACCESS=full: every session may read and write data
  TenantId home_tenant;                   // where PlatformAdmin is granted
};

// Sessions of this loop's cache, and the signed cookie `service_auth` that carries their ids.
//
// The database decides what a session may do; the cache keeps its answer for a minute. Whoever changes a user's
// grants or ends their sessions calls recheck() after the commit: it marks every session of the user, and the next
// request of each asks the database again. A session is listed before it exists, and asks the database at its first
// request, so none slips through between.
class Sessions {
 public:
  static constexpr std::string_view cookie_name = "service_auth";
  static constexpr std::chrono::minutes check_every{1};
  static constexpr std::size_t sessions_per_user_max = 100;  // one more ends the oldest

  Sessions(Cache& cache, Database& db, const SessionOptions& options);

  // Gives the session a new id and keeps it, then adds what every member may; returns the Set-Cookie value. A session
  // without an expiry gets the configured lifetime.
  Task<std::string> start(Session& session, Instant now);

  // The session that the request's cookie names, if the signature is ours and it has not ended.
  Task<std::optional<Session>> find(const http::Request& request, Instant now);

  // The user's sessions, oldest first.
  Task<std::vector<ListedSession>> of_user(const UserId& user, Instant now);

  // Ends the session of that id, which is the user's. Throws Failure unavailable if it may still work.
  Task<> end(const UserId& user, std::string_view id, Instant now);

  // Ends the session of that handle; false if the user has no such session.
  Task<bool> end_listed(const UserId& user, std::string_view handle, Instant now);

  // Makes every session of the user ask the database again. Called after the commit, so it never throws for the cache's
  // sake: when the cache is unavailable, each session asks within check_every.
  Task<> recheck(const UserId& user, Instant now);

  std::string removal_cookie() const;
  bool secure_cookies() const { return options_.secure_cookies; }

 private:
  void add_member_keys(Session& session) const;
  std::string key_for(std::string_view cookie) const;
  Session session_in(const std::string& kept, std::string_view cookie, const std::string& key);
  Task<std::optional<Session>> checked(Session session, const std::string& kept, Instant now);
  Task<> refresh(const std::string& key, const std::string& kept, const std::string& fresh);
  Task<> remove(const UserId& user, std::string_view handle, Instant now);
  Task<> mark_all(const UserId& user, Instant now);
  Task<> mark(const std::string& key);
  Task<> edit_list(const UserId& user, SessionListEdit edit, Instant now);

  Cache& cache_;
  Database& db_;
  HmacSha256 signer_;
  SessionOptions options_;
  RecentSessions<Session> recent_;
};

// What stands for a session's id where it may be seen: in the cache and in lists.
std::string session_handle(std::string_view id);

// A session for a user who has just proven who they are, with the permissions they hold in the tenant.
Session session_for(Tx& tx, const User& user, const TenantId& tenant, const TenantId& home_tenant,
                    std::string_view provider);

// The id in a cookie's value `<id>.<signature>`, if the signature fits.
std::optional<std::string_view> signed_id(std::string_view cookie, const HmacSha256& signer);

}  // namespace guildhall
