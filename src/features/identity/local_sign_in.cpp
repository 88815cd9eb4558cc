#include "features/identity/local_sign_in.h"

#include "base/address.h"
#include "base/log.h"
#include "base/password.h"
#include "base/text.h"
#include "features/identity/grants.h"
#include "features/identity/identity_import.h"
#include "features/identity/permissions.h"
#include "features/identity/rank.h"
#include "features/identity/second_factor.h"

namespace guildhall {
namespace {

bool same_password(std::string_view given, std::string_view wanted) {
  const Sha256 a = sha256(given), b = sha256(wanted);
  return !wanted.empty() && std::equal(a.begin(), a.end(), b.begin());
}

// The default admin, whose name and password are in the configuration. The user is found by a reserved identity, not by
// the name: the name may change, and another user may have it.
constexpr std::string_view admin_identity = "default-admin";

Select<User> known_admin(const LocalSignInOptions& options) {
  return user_by_identity(options.default_tenant, configuration_provider, std::string(admin_identity));
}

User default_admin(Tx& tx, const LocalSignInOptions& options, Instant now) {
  if (auto known = tx.one(known_admin(options))) return std::move(*known);
  NewUser input;
  input.username.value = input.display_name.value = options.admin_username;
  User fresh = user_from(input, options.default_tenant, now);
  if (!insert_user(tx, fresh)) {
    rename(fresh, fresh.username + "-" + fresh.id.text());
    if (!insert_user(tx, fresh)) throw WriteRace();
  }
  if (!insert_identity(tx, options.default_tenant, configuration_provider, std::string(admin_identity), fresh.id, now))
    throw WriteRace();
  return fresh;
}

// Somebody else may know the password that is stored with the user, and must not receive the key with it.
void grant(const ActionContext& context, const UserId& user, std::string_view key, const TenantId& home_tenant) {
  if (!add_grant(context.tx, context.tenant, user, key, context.now)) return;
  const std::vector<std::string> keys{std::string(key)};
  clear_password_of_lower_rank(context, {user, keys, home_tenant});
  context.audit({"grants", user.text()}, "updated",
                json::object({{"keys", json::object({{"before", nullptr}, {"after", json::array({key})}})}}).text);
}

Counter& local_outcomes(Metrics& metrics, std::string_view outcome) {
  return metrics.counter("sign_ins_total", "Attempts to sign in.",
                         {{"provider", "local"}, {"outcome", std::string(outcome)}});
}

void log_failure(const Credentials& credentials, std::string_view reason) {
  log::warn("A sign-in failed.", {{"reason", reason},
                                  {"address", credentials.address},
                                  {"username", loggable_username(credentials.username)},
                                  {"tenant", credentials.tenant.text()},
                                  {"request", credentials.request_id}});
}

}  // namespace

std::string loggable_username(std::string_view username) {
  constexpr std::size_t units_max = 24;
  std::string shown(username.substr(0, username.find('@')));
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  if (shown.size() < username.size()) shown += "…";
  return cut_text(std::move(shown), units_max);
}

Failure invalid_credentials() {
  return bad_request("INVALID_CREDENTIALS", "The username or the password is wrong.");
}

LocalSignIn::LocalSignIn(Database& db, Cache& cache, WorkerPool& workers, Metrics& metrics,
                         const LocalSignInOptions& options)
    : db_(db),
      lockout_(cache),
      workers_(workers),
      options_(options),
      password_checks_(metrics.counter("password_checks_total", "Passwords compared with a hash.")),
      succeeded_(local_outcomes(metrics, "succeeded")),
      wrong_(local_outcomes(metrics, "wrong")),
      locked_(local_outcomes(metrics, "locked")),
      wrong_code_(local_outcomes(metrics, "wrong_code")) {}

bool LocalSignIn::is_admin(const Credentials& credentials) const {
  return folded(credentials.username) == folded(options_.admin_username);
}

Task<bool> LocalSignIn::is_right(const Credentials& credentials, const std::optional<User>& user) {
  const bool has_hash = !is_admin(credentials) && user && user->password_hash.value;
  const std::string hash = has_hash ? *user->password_hash.value : "";
  // Every attempt costs the same: without a stored hash, the password is compared with one that no password matches.
  const bool fits = co_await workers_.run(
      [&] {
        password_checks_.add();
        return verify_password(has_hash ? hash : absent_password_hash(), credentials.password);
      },
      counted_address(credentials.address));
  const bool fits_admin = same_password(credentials.password, options_.admin_password);
  co_return is_admin(credentials) ? fits_admin : fits&& has_hash;
}

Task<LocalSignIn::Checked> LocalSignIn::check(const Credentials& credentials, const Lockout::Attempt& attempt) {
  Checked checked{.user = std::nullopt, .right = false};
  std::exception_ptr unchecked;
  try {
    checked.user = co_await db_.one(user_by_username(credentials.tenant, credentials.username));
    checked.right = co_await is_right(credentials, checked.user);
  } catch (...) {
    unchecked = std::current_exception();
  }
  if (unchecked) {
    co_await best_effort(lockout_.withdrawn(attempt));
    std::rethrow_exception(unchecked);
  }
  co_await best_effort(checked.right ? lockout_.succeeded(attempt) : lockout_.failed(attempt));
  co_return checked;
}

Lockout::Guess guess_of(const TenantId& tenant, std::string_view username, std::string_view address,
                        std::string_view admin_username) {
  const bool admin = folded(username) == folded(admin_username);
  return {.tenant = admin ? std::string_view() : tenant.text(), .username = username, .address = address};
}

// The failures are counted in the database, because the lock-out of second factors must not depend on the cache, which
// forgets old entries during a flood of sign-ins.
Task<> LocalSignIn::require_second_factor(const User& user, const Credentials& credentials, Instant now) {
  const auto factor = co_await db_.one(second_factor_of(user.tenant_id, user.id));
  if (!factor || !factor->confirmed_at) co_return;
  if (!credentials.code) throw second_factor_required();
  const bool right = co_await db_.write(
      [&](Tx& tx) { return use_second_factor(tx, *factor, options_.secrets, *credentials.code, now); });
  if (right) co_return;
  wrong_code_.add();
  log_failure(credentials, "wrong code of the second factor");
  throw second_factor_invalid();
}

std::string own_password_name(const UserId& user) {
  return "own-password\n" + user.text();
}

Task<bool> LocalSignIn::is_default_admin(const User& user) {
  const auto admin = co_await db_.one(known_admin(options_));
  co_return admin && admin->id == user.id && !options_.admin_password.empty();
}

Task<bool> LocalSignIn::has_password(const User& user) {
  if (user.password_hash.value) co_return true;
  co_return co_await is_default_admin(user);
}

Task<bool> LocalSignIn::is_own_password(const User& user, const std::string& password, std::string_view address) {
  const bool admin = co_await is_default_admin(user);
  const auto is_right = [&]() -> Task<bool> {
    if (admin) co_return same_password(password, options_.admin_password);
    co_return co_await workers_.run(
        [&] {
          password_checks_.add();
          return verify_password(user.password_hash.value.value_or(absent_password_hash()), password);
        },
        counted_address(address));
  };
  const std::string name = own_password_name(user.id);
  co_return co_await lockout_.check({.tenant = {}, .username = name, .address = {}}, is_right);
}

Task<Session> LocalSignIn::sign_in(const Credentials& credentials, Instant now) {
  const auto attempt = co_await lockout_.begin(
      guess_of(credentials.tenant, credentials.username, credentials.address, options_.admin_username));
  if (!attempt) {
    locked_.add();
    log_failure(credentials, "locked after too many failures");
    throw invalid_credentials();
  }
  auto [user, right] = co_await check(credentials, *attempt);
  if (!right) {
    wrong_.add();
    log_failure(credentials, "wrong username or password");
    throw invalid_credentials();
  }
  if (is_admin(credentials)) user = co_await db_.one(known_admin(options_));
  if (user) co_await require_second_factor(*user, credentials, now);
  succeeded_.add();
  co_return co_await db_.write([&](Tx& tx) {
    if (!is_admin(credentials))
      return session_for(tx, *user, credentials.tenant, options_.default_tenant, local_provider);
    const UserId admin = default_admin(tx, options_, now).id;
    static const Events no_subscribers;
    const Actor actor{ActorKind::USER, admin.text(), credentials.request_id};
    const ActionContext home{tx, no_subscribers, options_.default_tenant, actor, now};
    grant(home, admin, platform_admin, options_.default_tenant);
    grant(home.in_tenant(credentials.tenant), admin, tenant_admin, options_.default_tenant);
    // Read again, because a grant may have ended the user's earlier sessions.
    return session_for(tx, *tx.one(user_by_id(options_.default_tenant, admin)), credentials.tenant,
                       options_.default_tenant, local_provider);
  });
}

}  // namespace guildhall
