#include "features/identity/sessions.h"

#include "base/encoding.h"
#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "features/identity/provider_config.h"
#include "features/identity/second_factor.h"
#include "features/identity/user_store.h"
#include "features/tenancy/tenant.h"
#include "http/cookies.h"

namespace guildhall {
namespace {

constexpr std::size_t id_bytes = 32;

std::string cache_key(std::string_view handle) {
  return fmt::format("session:{}", handle);
}

std::string list_key(const UserId& user) {
  return "sessions-of:" + user.text();
}

template <class T>
T decoded(const std::string& kept) {
  T value;
  decode_stored(kept, [&](JsonValue json, Decoder& decoder) { Codec<T>::decode(json, value, decoder); });
  return value;
}

std::chrono::milliseconds left(Instant until, Instant now) {
  return std::chrono::milliseconds(std::max<std::int64_t>(until.ms - now.ms, 1));
}

std::chrono::milliseconds longest_left(const std::vector<ListedSession>& list, Instant now) {
  Instant last = now;
  for (const ListedSession& listed : list) last = std::max(last, listed.expires_at);
  return left(last, now);
}

// The sessions in a user's list that have not expired.
std::vector<ListedSession> listed_in(const std::optional<std::string>& kept, Instant now) {
  std::vector<ListedSession> list;
  if (kept) list = decoded<std::vector<ListedSession>>(*kept);
  std::erase_if(list, [&](const ListedSession& listed) { return listed.expires_at <= now; });
  return list;
}

// A session from a tenant's own chat application never gets PlatformAdmin: that key is valid in all tenants, and the
// tenant's admin controls who can sign in through the application.
std::vector<std::string> session_keys(std::vector<std::string> grants, std::string_view provider) {
  if (provider == tenant_chat_provider) std::erase(grants, platform_admin);
  return with_implied(grants);
}

}  // namespace

// Hashed, so that the contents of the cache cannot be used to sign in.
std::string session_handle(std::string_view id) {
  return base64url(sha256(id));
}

std::optional<std::string_view> signed_id(std::string_view cookie, const SigningKeys& signer) {
  const std::size_t dot = cookie.find('.');
  if (dot == std::string_view::npos || dot == 0 || cookie.size() > 256) return std::nullopt;
  const auto signature = from_base64url(cookie.substr(dot + 1));
  if (!signature || !signer.verify(cookie.substr(0, dot), *signature)) return std::nullopt;
  return cookie.substr(0, dot);
}

Session session_for(Tx& tx, const User& user, const TenantId& tenant, const TenantId& home_tenant,
                    std::string_view provider) {
  return {.id = {},
          .user_id = user.id,
          .user_tenant_id = user.tenant_id,
          .tenant_id = tenant,
          .display_name = user.display_name,
          .email = user.email.value_or(""),
          .permission_keys = session_keys(tx.all(grants_of(tenant, user.tenant_id, user.id, home_tenant)), provider),
          .epoch = user.session_epoch,
          .provider = std::string(provider),
          .started_at = {},
          .expires_at = {},
          .checked_at = {},
          .mark = {},
          .must_enrol = {provider == local_provider &&
                         tx.one(lacks_second_factor(tenant, user.tenant_id, user.id)).has_value()}};
}

Sessions::Sessions(Cache& cache, Database& db, const SessionOptions& options)
    : cache_(cache), db_(db), signer_(options.signing_secrets), options_(options) {}

// Added at every request instead of stored, since it depends on the configuration.
void Sessions::add_member_keys(Session& session) const {
  if (!options_.members_have_data_access) return;
  session.permission_keys.insert(session.permission_keys.end(), {"data.read", "data.write"});
  session.permission_keys = with_implied(session.permission_keys);
}

Task<std::string> Sessions::start(Session& session, Instant now) {
  session.id.value = base64url(random_bytes(id_bytes));
  session.started_at = now;
  session.checked_at = {};
  if (session.expires_at.ms == 0) session.expires_at = now + options_.ttl;
  const std::string handle = session_handle(session.id.value);
  std::vector<ListedSession> crowded_out;
  co_await edit_list(
      session.user_id,
      [&](std::vector<ListedSession>& list) {
        list.push_back({handle, session.tenant_id, session.provider, now, session.expires_at});
        crowded_out.clear();
        if (list.size() <= sessions_per_user_max) return;
        const auto kept = list.end() - static_cast<std::ptrdiff_t>(sessions_per_user_max);
        crowded_out.assign(list.begin(), kept);
        list.erase(list.begin(), kept);
      },
      now);
  for (const ListedSession& listed : crowded_out) {
    const std::string key = cache_key(listed.handle);
    co_await cache_.remove(key);
  }
  const std::string key = cache_key(handle), kept = to_json(session);
  co_await cache_.put(key, kept, left(session.expires_at, now));
  add_member_keys(session);
  const std::string cookie = session.id.value + "." + base64url(signer_.sign(session.id.value));
  const auto lifetime = std::chrono::duration_cast<std::chrono::seconds>(left(session.expires_at, now));
  co_return http::set_cookie(cookie_name, cookie, lifetime, options_.secure_cookies);
}

// Empty if the cookie's signature is invalid.
std::string Sessions::key_for(std::string_view cookie) const {
  if (const std::string* key = recent_.key_of(cookie)) return *key;
  const auto id = signed_id(cookie, signer_);
  return id ? cache_key(session_handle(*id)) : "";
}

std::shared_ptr<const ActiveSession> Sessions::active(Session session) const {
  add_member_keys(session);
  api::Caller caller{.session_id = session.id.value,
                     .user = session.user_id,
                     .tenant = session.tenant_id,
                     .permissions = session.must_enrol ? std::vector<std::string>() : session.permission_keys,
                     .through_tenants_application = session.provider == tenant_chat_provider,
                     .token_id = {},
                     .must_enrol = session.must_enrol};
  return std::make_shared<const ActiveSession>(std::move(session), std::move(caller));
}

std::shared_ptr<const ActiveSession> Sessions::session_in(const std::string& kept, std::string_view cookie,
                                                          const std::string& key) {
  if (const auto* session = recent_.session_of(cookie, kept)) return *session;
  auto session = decoded<Session>(kept);
  session.id.value = cookie.substr(0, cookie.find('.'));
  auto found = active(std::move(session));
  recent_.remember(cookie, key, kept, found);
  return found;
}

Task<std::shared_ptr<const ActiveSession>> Sessions::find(const http::Request& request, Instant now) {
  const std::string_view cookie = http::cookie_value(request.header("cookie"), cookie_name);
  const std::string key = key_for(cookie);
  if (key.empty()) co_return nullptr;
  const auto kept = co_await cache_.get_or_copy(key);
  if (!kept) co_return nullptr;
  auto found = session_in(*kept, cookie, key);
  if (found->session.checked_at + check_every > now) co_return found;
  auto fresh = co_await checked(found->session, *kept, now);
  if (!fresh) co_return nullptr;
  co_return active(std::move(*fresh));
}

// Reads the session's permissions from the database; nothing if the session has ended. If the session was marked again
// meanwhile, or the cache accepts no writes, the result is used for this request only. The entry's remaining lifetime
// is left to the cache, since an expiry computed here would depend on this machine's clock.
Task<std::optional<Session>> Sessions::checked(Session session, const std::string& kept, Instant now) {
  const auto user = co_await db_.one(user_by_id(session.user_tenant_id, session.user_id));
  const auto tenant = co_await db_.one(tenant_by_id(session.tenant_id));
  if (!user || !tenant || user->session_epoch != session.epoch) {
    co_await best_effort(end(session.user_id, session.id.value, now));
    co_return std::nullopt;
  }
  auto grants =
      co_await db_.all(grants_of(session.tenant_id, session.user_tenant_id, session.user_id, options_.home_tenant));
  session.permission_keys = session_keys(std::move(grants), session.provider);
  session.must_enrol.value = false;
  if (session.provider == local_provider) {
    const auto lacks =
        co_await db_.one(lacks_second_factor(session.tenant_id, session.user_tenant_id, session.user_id));
    session.must_enrol.value = lacks.has_value();
  }
  session.display_name = user->display_name;
  session.email = user->email.value_or("");
  session.checked_at = now;
  const std::string key = cache_key(session_handle(session.id.value)), fresh = to_json(session);
  co_await best_effort(refresh(key, kept, fresh));
  co_return session;
}

Task<> Sessions::refresh(const std::string& key, const std::string& kept, const std::string& fresh) {
  co_await cache_.replace(key, kept, fresh, std::nullopt);
}

Task<std::vector<ListedSession>> Sessions::of_user(const UserId& user, Instant now) {
  const auto kept = co_await cache_.get(list_key(user));
  co_return listed_in(kept, now);
}

Task<> Sessions::end(const UserId& user, std::string_view id, Instant now) {
  const std::string handle = session_handle(id);
  co_await remove(user, handle, now);
}

Task<bool> Sessions::end_listed(const UserId& user, std::string_view handle, Instant now) {
  const auto list = co_await of_user(user, now);
  const bool listed =
      std::any_of(list.begin(), list.end(), [&](const ListedSession& other) { return other.handle == handle; });
  if (listed) co_await remove(user, handle, now);
  co_return listed;
}

// Removing the entry ends the session. Its removal from the list only affects what users see.
Task<> Sessions::remove(const UserId& user, std::string_view handle, Instant now) {
  const std::string key = cache_key(handle);
  co_await cache_.remove(key);
  co_await cache_.wait_until_reported();
  const auto is_it = [&](const ListedSession& other) { return other.handle == handle; };
  co_await best_effort(edit_list(
      user, [&](std::vector<ListedSession>& list) { std::erase_if(list, is_it); }, now));
}

Task<> Sessions::recheck(const UserId& user, Instant now) {
  co_await best_effort(mark_all(user, now));
}

Task<> Sessions::mark_all(const UserId& user, Instant now) {
  for (const ListedSession& listed : co_await of_user(user, now)) co_await mark(cache_key(listed.handle));
  co_await cache_.wait_until_reported();
}

// Repeats until no other write came between reading and writing. Such a write may be a refresh, which has removed the
// mark.
Task<> Sessions::mark(const std::string& key) {
  while (true) {
    const auto kept = co_await cache_.get(key);
    if (!kept) co_return;
    Session session = decoded<Session>(*kept);
    session.checked_at = {};
    session.mark = base64url(random_bytes(8));
    const std::string marked = to_json(session);
    if (co_await cache_.replace(key, *kept, marked, std::nullopt)) co_return;
  }
}

// Changes the list of a user's sessions atomically, and removes those that have expired. The edit may run more than
// once.
Task<> Sessions::edit_list(const UserId& user, SessionListEdit edit, Instant now) {
  const std::string key = list_key(user);
  while (true) {
    const auto kept = co_await cache_.get(key);
    std::vector<ListedSession> list = listed_in(kept, now);
    edit(list);
    const std::string edited = to_json(list);
    if (edited == kept.value_or("[]")) co_return;
    const std::optional<std::string_view> expected = kept ? std::optional<std::string_view>(*kept) : std::nullopt;
    if (co_await cache_.replace(key, expected, edited, longest_left(list, now))) co_return;
  }
}

std::string Sessions::removal_cookie() const {
  return http::set_cookie(cookie_name, "", std::chrono::seconds(0), options_.secure_cookies);
}

}  // namespace guildhall
