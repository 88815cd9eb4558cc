#include "api/api.h"
#include "base/totp.h"
#include "base/url.h"
#include "features/action.h"
#include "features/identity/auth_replies.h"
#include "features/identity/link_mail.h"
#include "features/identity/routes.h"
#include "features/identity/second_factor.h"
#include "features/identity/user_actions.h"
#include "features/identity/user_store.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct SecondFactorState {
  bool enrolled = false;  // and confirmed
  std::optional<Instant> confirmed_at;
  std::int64_t recovery_codes_left = 0;
  bool required = false;           // by the tenant of this session
  bool password_required = false;  // to enrol one
};
BOOST_DESCRIBE_STRUCT(SecondFactorState, (), (enrolled, confirmed_at, recovery_codes_left, required, password_required))

struct EnrolmentInput {
  std::optional<Text<256>> password;
};
BOOST_DESCRIBE_STRUCT(EnrolmentInput, (), (password))

struct Enrolment {
  std::string secret;  // base32
  std::string uri;     // otpauth:, for a QR code
};
BOOST_DESCRIBE_STRUCT(Enrolment, (), (secret, uri))

struct CodeInput {
  Text<64> code;
};
BOOST_DESCRIBE_STRUCT(CodeInput, (), (code))

struct RecoveryCodes {
  std::vector<std::string> recovery_codes;  // shown once
};
BOOST_DESCRIBE_STRUCT(RecoveryCodes, (), (recovery_codes))

// The present session of a caller who may change the second factor. A session through a tenant's own chat application
// does not prove who the caller is.
Task<Session> own_session(const Call& call, Auth& auth) {
  if (!call.caller->may_change_itself()) {
    throw forbidden("PERMISSION_DENIED", "Sign in with your password to change your second factor.");
  }
  return present_session(call, auth);
}

Reply secret_reply(Reply reply) {
  return std::move(reply).with("Cache-Control", "no-store");
}

Task<User> user_of(const Session& session, Auth& auth) {
  auto user = co_await auth.db.one(user_by_id(session.user_tenant_id, session.user_id));
  if (!user) throw unauthenticated();
  co_return std::move(*user);
}

Task<Reply> show_factors(Call& call, Auth& auth) {
  const Session session = co_await present_session(call, auth);
  const bool has_password = co_await auth.local.has_password(co_await user_of(session, auth));
  co_return api::json_reply(200, co_await auth.db.read([&](Tx& tx) {
    const auto factor = tx.one(second_factor_of(session.user_tenant_id, session.user_id));
    SecondFactorState state;
    state.password_required = has_password;
    if (factor) state.confirmed_at = factor->confirmed_at;
    state.enrolled = state.confirmed_at.has_value();
    state.recovery_codes_left = count_recovery_codes(tx, session.user_tenant_id, session.user_id);
    state.required = tx.one(requires_second_factor(session.tenant_id)).has_value();
    return state;
  }));
}

std::string otpauth_uri(const std::string& shop, const std::string& username, const std::string& secret) {
  const std::string issuer = url_encode(name_for_mail(shop));
  return fmt::format("otpauth://totp/{}:{}?secret={}&issuer={}&algorithm=SHA1&digits=6&period=30", issuer,
                     url_encode(username), secret, issuer);
}

// With a stolen session somebody could otherwise enrol their own application and so lock the user out. A user without a
// password has nothing else to prove who they are, and the second factor counts only for sign-ins with a password.
Task<> require_password(const Call& call, Auth& auth, const User& user) {
  if (!co_await auth.local.has_password(user)) co_return;
  const auto input = call.request.body.empty() ? EnrolmentInput{} : call.body<EnrolmentInput>();
  if (!input.password) throw invalid_field("password", "is required");
  if (co_await auth.local.is_own_password(user, input.password->value, call.address)) co_return;
  throw bad_request("INVALID_CREDENTIALS", "The password is wrong.");
}

Task<Reply> enrol(Call& call, Auth& auth) {
  const Session session = co_await own_session(call, auth);
  const User user = co_await user_of(session, auth);
  co_await require_password(call, auth, user);
  const Enrolment enrolment = co_await auth.db.write([&](Tx& tx) {
    const auto tenant = tx.one(tenant_by_id(user.tenant_id));
    if (!tenant) throw unauthenticated();
    const std::string secret = base32(enrol_second_factor(tx, user.tenant_id, user.id, auth.secrets, call.now));
    action_of(call, tx).in_tenant(user.tenant_id).audit({"user", user.id.text()}, "second_factor_enrolled");
    return Enrolment{secret, otpauth_uri(tenant->name, user.username, secret)};
  });
  co_return secret_reply(api::json_reply(200, enrolment));
}

// Runs `change` in a transaction if the code is right. A failure is counted in the same transaction, so the refusal is
// thrown after the commit.
Task<> with_code(Call& call, Auth& auth, const Session& session, bool confirmed,
                 const std::function<void(Tx&, const SecondFactor&)>& change) {
  const auto input = call.body<CodeInput>();
  const bool right = co_await auth.db.write([&](Tx& tx) {
    const auto factor = tx.one(second_factor_of(session.user_tenant_id, session.user_id));
    if (!factor || factor->confirmed_at.has_value() != confirmed) {
      throw bad_request("SECOND_FACTOR_MISSING", confirmed ? "You have no second factor."
                                                           : "There is no second factor to confirm: enrol one first.");
    }
    if (!use_second_factor(tx, *factor, auth.secrets, input.code.value, call.now)) return false;
    change(tx, *factor);
    return true;
  });
  if (!right) throw second_factor_invalid();
  co_await auth.sessions.recheck(session.user_id, call.now);
}

void audit_factor(Tx& tx, const Call& call, const SecondFactor& factor, std::string_view action) {
  action_of(call, tx).in_tenant(factor.tenant_id).audit({"user", factor.user_id.text()}, action);
}

Task<Reply> confirm(Call& call, Auth& auth) {
  const Session session = co_await own_session(call, auth);
  RecoveryCodes codes;
  co_await with_code(call, auth, session, false, [&](Tx& tx, const SecondFactor& factor) {
    confirm_second_factor(tx, factor, call.now);
    codes.recovery_codes = make_recovery_codes(tx, factor.tenant_id, factor.user_id);
    audit_factor(tx, call, factor, "second_factor_confirmed");
  });
  co_return secret_reply(api::json_reply(200, codes));
}

Task<Reply> renew_recovery_codes(Call& call, Auth& auth) {
  const Session session = co_await own_session(call, auth);
  RecoveryCodes codes;
  co_await with_code(call, auth, session, true, [&](Tx& tx, const SecondFactor& factor) {
    codes.recovery_codes = make_recovery_codes(tx, factor.tenant_id, factor.user_id);
    audit_factor(tx, call, factor, "recovery_codes_renewed");
  });
  co_return secret_reply(api::json_reply(200, codes));
}

Task<Reply> disable(Call& call, Auth& auth) {
  const Session session = co_await own_session(call, auth);
  co_await with_code(call, auth, session, true, [&](Tx& tx, const SecondFactor& factor) {
    delete_second_factor(tx, factor.tenant_id, factor.user_id);
    audit_factor(tx, call, factor, "second_factor_disabled");
  });
  co_return api::no_content();
}

// For a user who has lost the application and the recovery codes. Throws forbidden for a user of higher rank. Callers
// cannot remove their own in this way, which would make the code unnecessary.
Task<Reply> delete_factor(Call& call, Auth& auth) {
  const UserId id(call.param(0));
  co_await auth.db.write([&](Tx& tx) {
    const User user = require_changeable_user(action_of(call, tx, auth.events), *call.caller, id);
    if (id == call.user()) throw forbidden("PERMISSION_DENIED", "Disable your own second factor with a code.");
    if (!delete_second_factor(tx, user.tenant_id, id)) return;
    action_of(call, tx).audit({"user", id.text()}, "second_factor_removed");
  });
  co_await auth.sessions.recheck(id, call.now);
  co_return api::no_content();
}

}  // namespace

std::vector<api::Route> second_factor_routes(Auth& auth) {
  constexpr std::string_view own = "/auth/second-factor";
  return {
      route(Method::get, own, Access::session, "The state of one's own second factor", show_factors, auth)
          .gives<SecondFactorState>(200, "The state."),
      route(Method::post, own, Access::session, "Begin to enrol a second factor", enrol, auth)
          .limited(account_limit(auth))
          .takes<EnrolmentInput>()
          .gives<Enrolment>(200, "The secret for an authenticator application; it counts once it is confirmed.")
          .gives(409, "There is a confirmed second factor."),
      route(Method::post, "/auth/second-factor/confirm", Access::session, "Confirm a second factor with its first code",
            confirm, auth)
          .limited(account_limit(auth))
          .takes<CodeInput>()
          .gives<RecoveryCodes>(200, "Ten recovery codes, shown only in this reply."),
      route(Method::post, "/auth/second-factor/recovery-codes", Access::session, "Make new recovery codes",
            renew_recovery_codes, auth)
          .limited(account_limit(auth))
          .takes<CodeInput>()
          .gives<RecoveryCodes>(200, "Ten new recovery codes; the old ones do not work any more."),
      route(Method::post, "/auth/second-factor/disable", Access::session,
            "Disable one's own second factor, with a code or a recovery code", disable, auth)
          .limited(account_limit(auth))
          .takes<CodeInput>()
          .gives(204, "Disabled."),
      route(Method::del, "/api/data/user/:id/second-factor", Access::admin,
            "Remove the second factor of a user who has lost it", delete_factor, auth)
          .by_person()
          .gives(204, "The user has no second factor."),
  };
}

}  // namespace guildhall
