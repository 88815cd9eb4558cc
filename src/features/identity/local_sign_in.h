#pragma once

#include <optional>
#include <string>

#include "base/metrics.h"
#include "base/secret_box.h"
#include "base/worker_pool.h"
#include "features/identity/lockout.h"
#include "features/identity/sessions.h"
#include "features/identity/user_store.h"
#include "storage/database.h"

namespace guildhall {

struct Credentials {
  TenantId tenant;
  std::string username;
  std::string password;
  std::string_view address;           // the client's
  std::optional<std::string> code{};  // of the second factor
  std::string request_id{};
};

struct LocalSignInOptions {
  TenantId default_tenant;
  std::string admin_username;
  std::string admin_password;  // empty: the default admin cannot sign in
  const SecretBox* secrets;    // null: no second factor can be checked
};

// Sign-in with username and password. The default admin's password is in the configuration; that of any other user is
// stored with the user as an Argon2id hash.
class LocalSignIn {
 public:
  LocalSignIn(Database& db, Cache& cache, WorkerPool& workers, Metrics& metrics, const LocalSignInOptions& options);

  // Checks the credentials and returns a session. Throws invalid_credentials for a wrong password and for an unknown
  // user, after the same amount of work, and at once for a locked pair. Throws Failure unavailable if the password
  // could not be checked, or if too many attempts are running; that does not count as an attempt. If the user has a
  // second factor, throws second_factor_required without a code, and second_factor_invalid for a wrong one.
  Task<Session> sign_in(const Credentials& credentials, Instant now);

  // Whether the user signs in with a password. The default admin's is in the configuration.
  Task<bool> has_password(const User& user);

  // Checks the password of a user who is signed in and has one. Five failures within fifteen minutes, from whatever
  // address, make it false for fifteen minutes. Throws Failure unavailable if the password could not be checked.
  Task<bool> is_own_password(const User& user, const std::string& password, std::string_view address);

 private:
  struct Checked {
    std::optional<User> user;  // nothing if the username is unknown
    bool right;
  };
  Task<Checked> check(const Credentials& credentials, const Lockout::Attempt& attempt);
  Task<bool> is_right(const Credentials& credentials, const std::optional<User>& user);
  Task<> require_second_factor(const User& user, const Credentials& credentials, Instant now);
  bool is_admin(const Credentials& credentials) const;
  Task<bool> is_default_admin(const User& user);

  Database& db_;
  Lockout lockout_;
  WorkerPool& workers_;
  LocalSignInOptions options_;
  Counter& password_checks_;
  Counter& succeeded_;
  Counter& wrong_;
  Counter& locked_;
  Counter& wrong_code_;
};

// How a sign-in is counted. The default admin is one user in all tenants.
Lockout::Guess guess_of(const TenantId& tenant, std::string_view username, std::string_view address,
                        std::string_view admin_username);

// A username for the log: without the part after an `@`, since it may be an email address, and shortened, since it may
// be a password that was typed into the wrong field.
std::string loggable_username(std::string_view username);

// The name under which wrong passwords of a user who is signed in are counted (Lockout).
std::string own_password_name(const UserId& user);

Failure invalid_credentials();

}  // namespace guildhall
