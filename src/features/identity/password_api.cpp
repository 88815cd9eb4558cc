#include "api/resource.h"
#include "base/password.h"
#include "features/action.h"
#include "features/identity/auth_replies.h"
#include "features/identity/link_mail.h"
#include "features/identity/password_reset.h"
#include "features/identity/routes.h"
#include "features/identity/secret_text.h"
#include "features/identity/user_actions.h"
#include "features/identity/user_store.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct OwnPasswordInput {
  Text<256> current_password;
  Text<256, 8> new_password;
};
BOOST_DESCRIBE_STRUCT(OwnPasswordInput, (), (current_password, new_password))

struct NewPasswordInput {
  Text<256, 8> new_password;
};
BOOST_DESCRIBE_STRUCT(NewPasswordInput, (), (new_password))

struct CreatedPasswordReset {
  UserId user_id;
  Instant expires_at;
  bool mailed = false;              // the link is also mailed to the user's address
  std::optional<std::string> link;  // shown once; null in a repeated reply
};
BOOST_DESCRIBE_STRUCT(CreatedPasswordReset, (), (user_id, expires_at, mailed, link))

// The password was set by the person who has just shown that they know the present one. That may be the person who set
// the present one, so the record of who set it stays.
void store_own_password(Tx& tx, const Call& call, User& user, const std::string& hash) {
  user.password_hash.value = hash;
  ++user.session_epoch.value;
  user.updated_at = call.now;
  update_user(tx, user);
  action_of(call, tx).in_tenant(user.tenant_id).audit({"user", user.id.text()}, "password_changed");
}

// Returns the hash of the new password; empty if the present one is wrong.
Task<std::string> hash_if_right(Auth& auth, const Call& call, const OwnPasswordInput& input, const std::string& hash) {
  std::string fresh;
  const auto check = [&]() -> Task<bool> {
    fresh = co_await auth.workers.run(
        [&] {
          const bool right = verify_password(hash, input.current_password.value);
          return right ? hash_password(input.new_password.value) : std::string();
        },
        call.source());
    co_return !fresh.empty();
  };
  const std::string name = own_password_name(call.user());
  Lockout lockout(auth.cache);
  co_await lockout.check({.tenant = {}, .username = name, .address = {}}, check);
  co_return fresh;
}

// Ends all other sessions of the user. The present one is replaced by a new one.
Task<Reply> change_own_password(Call& call, Auth& auth) {
  const auto input = call.body<OwnPasswordInput>();
  const Session present = co_await present_session(call, auth);
  const auto user = co_await auth.db.one(user_by_id(present.user_tenant_id, present.user_id));
  if (!user) throw unauthenticated();
  if (!user->password_hash.value) throw bad_request("NO_PASSWORD", "No password is stored for you.");
  const std::string hash = co_await hash_if_right(auth, call, input, *user->password_hash.value);
  if (hash.empty()) throw bad_request("INVALID_CREDENTIALS", "The current password is wrong.");
  Session session = co_await auth.db.write([&](Tx& tx) {
    lock_user(tx, user->tenant_id, user->id);
    auto latest = tx.one(user_by_id(user->tenant_id, user->id));
    if (!latest || latest->password_hash.value != user->password_hash.value) throw unauthenticated();
    store_own_password(tx, call, *latest, hash);
    return session_for(tx, *latest, present.tenant_id, auth.home_tenant, present.provider);
  });
  co_await auth.sessions.recheck(user->id, call.now);
  session.expires_at = present.expires_at;
  co_return co_await signed_in(call, auth, session);
}

UserId user_in_path(const Call& call) {
  return UserId(call.param(0));
}

void mail_reset(Tx& tx, const Auth& auth, const User& user, const PasswordReset& reset, const std::string& link) {
  const auto tenant = tx.one(tenant_by_id(reset.tenant_id));
  const std::string shop = name_for_mail(tenant ? tenant->name : reset.tenant_id.text());
  mail_link(tx, auth,
            {reset.tenant_id, *user.email, fmt::format("Reset your password for {}", shop),
             fmt::format("Open this link to choose a new password for your account {} at {}:\n\n{}\n\nIt works once, "
                         "until {}.\n",
                         name_for_mail(user.username), shop, link, to_string(reset.expires_at))},
            reset.created_at);
}

Task<Reply> make_reset(Call& call, Auth& auth) {
  require_local_sign_in(auth);
  PasswordReset reset{.tenant_id = call.tenant,
                      .user_id = user_in_path(call),
                      .user_epoch = 0,
                      .maker_id = call.user(),
                      .maker_tenant_id = {},
                      .through_application = call.caller->through_tenants_application,
                      .secret_hash = {},
                      .created_at = call.now,
                      .expires_at = call.now + password_reset_lasts};
  const std::string secret = make_secret();
  reset.secret_hash = hash_of_secret(secret);
  const std::string link =
      fmt::format("{}/console/password-reset#{}", auth.public_base_url, password_reset_text(reset, secret));
  const bool can_mail = co_await may_mail_link(auth, call.tenant);
  CreatedPasswordReset created{.user_id = reset.user_id, .expires_at = reset.expires_at, .mailed = false, .link = {}};
  const Reply stored = co_await api::write_once(call, auth.db, [&](Tx& tx) {
    const User user = require_changeable_user(action_of(call, tx, auth.events), *call.caller, user_in_path(call));
    reset.user_epoch = user.session_epoch;
    reset.maker_tenant_id = user_of_caller(tx, call, auth.home_tenant).tenant_id;
    put_password_reset(tx, reset);
    created.mailed = can_mail && user.email.has_value();
    if (created.mailed) mail_reset(tx, auth, user, reset, link);
    action_of(call, tx).audit({"user", user.id.text()}, "password_reset_created");
    return api::json_reply(201, created);
  });
  if (api::is_replayed(stored)) co_return stored;
  created.link = link;
  co_return api::json_reply(201, created);
}

Task<Reply> withdraw_reset(Call& call, Auth& auth) {
  co_await auth.db.write([&](Tx& tx) {
    const User user = require_changeable_user(action_of(call, tx, auth.events), *call.caller, user_in_path(call));
    if (!delete_password_reset(tx, call.tenant, user.id)) return;
    action_of(call, tx).audit({"user", user.id.text()}, "password_reset_withdrawn");
  });
  co_return api::no_content();
}

UserId reset_password(Tx& tx, const Call& call, const Auth& auth, const std::string& hash) {
  auto [reset, user, maker] = open_password_reset(tx, call.param(0), auth.home_tenant, call.now);
  if (!delete_password_reset(tx, reset.tenant_id, reset.user_id)) throw not_found("Link");
  user.password_set_by.value = password_setter(maker, user);  // the maker has seen the link, too
  user.password_hash.value = hash;
  ++user.session_epoch.value;
  user.updated_at = call.now;
  update_user(tx, user);
  const Actor actor{ActorKind::USER, user.id.text(), call.request.request_id};
  audit(tx, user.tenant_id, actor, {"user", user.id.text()}, "password_reset", "{}", call.now);
  return user.id;
}

Task<Reply> use_reset(Call& call, Auth& auth) {
  if (!auth.local_enabled) throw not_found("Link");
  const auto input = call.body<NewPasswordInput>();
  const bool known = co_await auth.db.read([&](Tx& tx) { return is_password_reset(tx, call.param(0), call.now); });
  if (!known) throw not_found("Link");
  const std::string hash =
      co_await auth.workers.run([&] { return hash_password(input.new_password.value); }, call.source());
  const UserId user = co_await auth.db.write([&](Tx& tx) { return reset_password(tx, call, auth, hash); });
  co_await auth.sessions.recheck(user, call.now);
  co_return api::no_content();
}

}  // namespace

std::vector<api::Route> password_routes(Auth& auth) {
  constexpr std::string_view reset = "/api/data/user/:id/password-reset";
  return {
      route(Method::put, "/auth/password", Access::session, "Change one's own password", change_own_password, auth)
          .limited(account_limit(auth))
          .takes<OwnPasswordInput>()
          .gives<SessionReply<SessionUser>>(200,
                                            "Changed; a new session replaces this one, and all others have ended."),
      route(Method::post, reset, Access::admin, "Make a link with which a user sets a new password", make_reset, auth)
          .by_person()
          .gives<CreatedPasswordReset>(201, "The link, shown only in this reply; an earlier one has ended."),
      route(Method::del, reset, Access::admin, "Withdraw the link that resets a user's password", withdraw_reset, auth)
          .by_person()
          .gives(204, "The user has no such link any more."),
      route(Method::post, "/auth/password-reset/:token", Access::open, "Set a new password with a link", use_reset,
            auth)
          .limited(one_time_link_limit(auth))
          .takes<NewPasswordInput>()
          .gives(204, "The password is set; the user's sessions have ended."),
  };
}

}  // namespace guildhall
