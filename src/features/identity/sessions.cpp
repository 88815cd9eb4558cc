#include "features/identity/sessions.h"

#include "base/encoding.h"
#include "features/identity/permissions.h"
#include "http/cookies.h"

namespace guildhall {
namespace {

constexpr std::size_t id_bytes = 32;

// A reader of the cache cannot sign in with what stands there.
std::string cache_key(std::string_view id) {
  return "session:" + base64url(sha256(id));
}

}  // namespace

std::optional<std::string_view> signed_id(std::string_view cookie, const HmacSha256& signer) {
  const std::size_t dot = cookie.find('.');
  if (dot == std::string_view::npos || dot == 0 || cookie.size() > 256) return std::nullopt;
  const auto signature = from_base64url(cookie.substr(dot + 1));
  if (!signature || !signer.verify(cookie.substr(0, dot), *signature)) return std::nullopt;
  return cookie.substr(0, dot);
}

Sessions::Sessions(Cache& cache, const SessionOptions& options)
    : cache_(cache), signer_(options.signing_secret), options_(options) {}

// Not kept with the session: it follows the configuration, not the sign-in.
void Sessions::add_member_keys(Session& session) const {
  if (!options_.members_have_data_access) return;
  session.permission_keys.insert(session.permission_keys.end(), {"data.read", "data.write"});
  session.permission_keys = with_implied(session.permission_keys);
}

Task<std::string> Sessions::start(Session& session) {
  session.id.value = base64url(random_bytes(id_bytes));
  const std::string kept = to_json(session);
  const std::string key = cache_key(session.id.value);
  co_await cache_.put(key, kept, options_.ttl);
  add_member_keys(session);
  const std::string cookie = session.id.value + "." + base64url(signer_.sign(session.id.value));
  co_return http::set_cookie(cookie_name, cookie, options_.ttl, options_.secure_cookies);
}

Task<std::optional<Session>> Sessions::find(const http::Request& request) {
  const std::string_view cookie = http::cookie_value(request.header("cookie"), cookie_name);
  const auto id = signed_id(cookie, signer_);
  if (!id) co_return std::nullopt;
  const std::string key = cache_key(*id);
  const auto kept = co_await cache_.get(key);
  if (!kept) co_return std::nullopt;
  Session session;
  decode_stored(*kept, [&](JsonValue json, Decoder& decoder) { Codec<Session>::decode(json, session, decoder); });
  session.id.value = *id;
  add_member_keys(session);
  co_return session;
}

Task<> Sessions::end(std::string_view id) {
  const std::string key = cache_key(id);
  co_await cache_.remove(key);
}

std::string Sessions::removal_cookie() const {
  return http::set_cookie(cookie_name, "", std::chrono::seconds(0), options_.secure_cookies);
}

}  // namespace guildhall
