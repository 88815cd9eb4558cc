#pragma once

#include <optional>
#include <string>

#include "base/config.h"
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
  LocalSignIn(Database& db, Cache& cache, WorkerPool& workers, const LocalSignInOptions& options);

  // The session that these credentials give. Throws invalid_credentials for a wrong password, an unknown user and a
  // locked pair alike, after the same work.
  Task<Session> sign_in(const Credentials& credentials, Instant now);

 private:
  Task<bool> is_right(const Credentials& credentials, const std::optional<User>& user);
  bool is_admin(const Credentials& credentials) const;

  Database& db_;
  Lockout lockout_;
  WorkerPool& workers_;
  LocalSignInOptions options_;
};

Failure invalid_credentials();

}  // namespace guildhall
