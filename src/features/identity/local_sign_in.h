#pragma once

#include <optional>
#include <string>

#include "base/metrics.h"
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
  std::string_view address;  // the client's
  std::string request_id{};
};

struct LocalSignInOptions {
  TenantId default_tenant;
  std::string admin_username;
  std::string admin_password;  // empty: the default admin cannot sign in
};

// Sign-in with username and password. The default admin's password is the configuration's; everybody else's is kept
// as Argon2id with the user.
class LocalSignIn {
 public:
  LocalSignIn(Database& db, Cache& cache, WorkerPool& workers, Metrics& metrics, const LocalSignInOptions& options);

  // The session that these credentials give. Throws invalid_credentials for a wrong password and an unknown user alike,
  // after the same work, and for a locked pair at once. Throws Failure unavailable when the password could not be
  // checked, which does not count as an attempt.
  Task<Session> sign_in(const Credentials& credentials, Instant now);

 private:
  struct Checked {
    std::optional<User> user;  // whom the username names
    bool right;
  };
  Task<Checked> check(const Credentials& credentials, const Lockout::Attempt& attempt);
  Task<bool> is_right(const Credentials& credentials, const std::optional<User>& user);
  bool is_admin(const Credentials& credentials) const;
  std::string counted_name(const Credentials& credentials) const;

  Database& db_;
  Lockout lockout_;
  WorkerPool& workers_;
  LocalSignInOptions options_;
  Counter& password_checks_;
  Counter& succeeded_;
  Counter& wrong_;
  Counter& locked_;
};

// A username as the log may show it: without what follows an `@`, since it may be an email address, and cut, since
// people type their password into the wrong field.
std::string loggable_username(std::string_view username);

Failure invalid_credentials();

}  // namespace guildhall
