#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/crypto.h"
#include "base/declared.h"
#include "cache/cache.h"
#include "http/call.h"

namespace guildhall {

// What the cache keeps of a session, under a hash of its id.
struct Session {
  Hidden<std::string> id;
  UserId user_id;
  TenantId tenant_id;
  std::string display_name;
  std::string email;  // empty when the user has none
  std::vector<std::string> permission_keys;
};
BOOST_DESCRIBE_STRUCT(Session, (), (id, user_id, tenant_id, display_name, email, permission_keys))

struct SessionOptions {
  std::string signing_secret;
  std::chrono::seconds ttl{8 * 60 * 60};
  bool secure_cookies = false;
  bool members_have_data_access = false;  // MEMBER_DATA_ACCESS=full: every session may read and write data
};

// Sessions of this loop's cache, and the signed cookie `service_auth` that carries their ids.
class Sessions {
 public:
  static constexpr std::string_view cookie_name = "service_auth";

  Sessions(Cache& cache, const SessionOptions& options);

  // Gives the session a new id and keeps it, then adds what every member may; returns the Set-Cookie value.
  Task<std::string> start(Session& session);

  // The session that the request's cookie names, if the signature is ours and it has not ended.
  Task<std::optional<Session>> find(const http::Request& request);

  Task<> end(std::string_view id);
  std::string removal_cookie() const;

 private:
  void add_member_keys(Session& session) const;

  Cache& cache_;
  HmacSha256 signer_;
  SessionOptions options_;
};

// The id in a cookie's value `<id>.<signature>`, if the signature fits.
std::optional<std::string_view> signed_id(std::string_view cookie, const HmacSha256& signer);

}  // namespace guildhall
