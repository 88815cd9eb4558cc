#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"
#include "base/secret_box.h"
#include "features/identity/user.h"
#include "storage/database.h"

// The second factor of users who sign in with a password: codes of an authenticator application (base/totp.h), and
// recovery codes for the case that the application is lost. Each code works once.
namespace guildhall {

constexpr std::size_t recovery_codes_given = 10;
constexpr std::int64_t second_factor_failures_max = 5;  // within the next time; then every code is refused
constexpr std::chrono::minutes second_factor_locked_for{15};

struct SecondFactor {
  TenantId tenant_id;  // of the user's record
  UserId user_id;
  std::string sealed_secret;
  std::optional<Instant> confirmed_at;  // null: it does not count yet
  std::int64_t last_step = 0;
  std::int64_t failures = 0;
  Instant failures_since;
  Instant created_at;
};
BOOST_DESCRIBE_STRUCT(SecondFactor, (),
                      (tenant_id, user_id, sealed_secret, confirmed_at, last_step, failures, failures_since,
                       created_at))

Select<SecondFactor> second_factor_of(const TenantId& user_tenant, const UserId& user);

// Stores a secret that the user has to confirm with a code, and returns the secret. Throws conflict if the user has a
// confirmed second factor, and Failure unavailable if there is no master key.
std::string enrol_second_factor(Tx& tx, const TenantId& user_tenant, const UserId& user, const SecretBox* secrets,
                                Instant now);

// Uses up a code of the application, or a recovery code if the second factor is confirmed. Returns false if the code is
// wrong or was used before, or after too many failures, which the same transaction counts. Throws Failure unavailable
// if the secret cannot be decrypted.
bool use_second_factor(Tx& tx, const SecondFactor& factor, const SecretBox* secrets, std::string_view code,
                       Instant now);

// Ends the lock after wrong codes.
void reset_second_factor_failures(Tx& tx, const TenantId& user_tenant, const UserId& user);

void confirm_second_factor(Tx& tx, const SecondFactor& factor, Instant now);

// Returns whether the user had a second factor, confirmed or not.
bool delete_second_factor(Tx& tx, const TenantId& user_tenant, const UserId& user);

// Replaces the recovery codes and returns the new ones. Only hashes are stored.
std::vector<std::string> make_recovery_codes(Tx& tx, const TenantId& user_tenant, const UserId& user);

std::int64_t count_recovery_codes(Tx& tx, const TenantId& user_tenant, const UserId& user);

// Whether the user has a confirmed second factor.
bool has_second_factor(Tx& tx, const UserId& user);

// Returns a row if the tenant requires a second factor, and the user has none.
Select<bool> lacks_second_factor(const TenantId& tenant, const TenantId& user_tenant, const UserId& user);

// Returns a row if the tenant requires a second factor.
Select<bool> requires_second_factor(const TenantId& tenant);

Failure second_factor_required();
Failure second_factor_invalid();

}  // namespace guildhall
