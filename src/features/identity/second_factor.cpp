#include "features/identity/second_factor.h"

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/failure.h"
#include "base/totp.h"
#include "base/typed_code.h"
#include "features/identity/user_store.h"
#include "features/tenancy/tenant_settings.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

constexpr std::size_t secret_bytes = 20;  // as long as the hash, as RFC 4226 recommends

std::string seal_context(const TenantId& tenant, const UserId& user) {
  return fmt::format("second-factor/{}/{}", tenant.text(), user.text());
}

Failure no_master_key() {
  return {Failure::Kind::unavailable, "MASTER_KEY_MISSING",
          "Second factors cannot be used because the server does not have the SERVICE_MASTER_KEY."};
}

std::string opened(const SecondFactor& factor, const SecretBox* secrets) {
  if (secrets == nullptr) throw no_master_key();
  auto secret = secrets->open(factor.sealed_secret, seal_context(factor.tenant_id, factor.user_id));
  if (!secret) throw no_master_key();
  return std::move(*secret);
}

bool is_code_of_application(std::string_view code) {
  return code.size() == 6 && std::all_of(code.begin(), code.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

static const Sql select_sql(select_from<SecondFactor>("second_factors") + " WHERE tenant_id = $1 AND user_id = $2");

Select<SecondFactor> second_factor_of(const TenantId& user_tenant, const UserId& user) {
  return {{&select_sql, params(user_tenant, user)}, read_row<SecondFactor>};
}

static const Sql put_sql(insert_into<SecondFactor>("second_factors") +
                         " ON CONFLICT (tenant_id, user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret,"
                         " last_step = 0, failures = 0, failures_since = 0, created_at = excluded.created_at"
                         " WHERE second_factors.confirmed_at IS NULL");

std::string enrol_second_factor(Tx& tx, const TenantId& user_tenant, const UserId& user, const SecretBox* secrets,
                                Instant now) {
  if (secrets == nullptr) throw no_master_key();
  std::string secret = random_bytes(secret_bytes);
  const SecondFactor factor{.tenant_id = user_tenant,
                            .user_id = user,
                            .sealed_secret = secrets->seal(secret, seal_context(user_tenant, user)),
                            .confirmed_at = {},
                            .last_step = 0,
                            .failures = 0,
                            .failures_since = {0},
                            .created_at = now};
  if (tx.run({&put_sql, values_of(factor)}) == 1) return secret;
  throw conflict("SECOND_FACTOR_ENROLLED", "You have a second factor: disable it before you enrol another one.");
}

// The attempt counts as a failure until it has succeeded. The fifth failure locks for the whole time.
static const Sql begin_attempt_sql(
    "UPDATE second_factors SET failures = CASE WHEN failures_since <= $3 THEN 1 ELSE failures + 1 END,"
    " failures_since = CASE WHEN failures_since <= $3 OR failures >= $5 - 1 THEN $4 ELSE failures_since END"
    " WHERE tenant_id = $1 AND user_id = $2 AND (failures < $5 OR failures_since <= $3)");

static bool begin_attempt(Tx& tx, const SecondFactor& factor, Instant now) {
  return tx.run({&begin_attempt_sql, params(factor.tenant_id, factor.user_id, now - second_factor_locked_for, now,
                                            second_factor_failures_max)}) == 1;
}

static const Sql reset_failures_sql("UPDATE second_factors SET failures = 0 WHERE tenant_id = $1 AND user_id = $2");
static const Sql use_step_sql("UPDATE second_factors SET last_step = $3 WHERE tenant_id = $1 AND user_id = $2" +
                              guard(" AND last_step < $3"));
static const Sql use_recovery_code_sql(
    "DELETE FROM recovery_codes WHERE tenant_id = $1 AND user_id = $2 AND code_hash = $3");

void reset_second_factor_failures(Tx& tx, const TenantId& user_tenant, const UserId& user) {
  tx.run({&reset_failures_sql, params(user_tenant, user)});
}

bool use_second_factor(Tx& tx, const SecondFactor& factor, const SecretBox* secrets, std::string_view code,
                       Instant now) {
  if (!begin_attempt(tx, factor, now)) return false;
  bool right = false;
  if (is_code_of_application(code)) {
    const auto step = totp_step(opened(factor, secrets), code, now);
    right = step && tx.run({&use_step_sql, params(factor.tenant_id, factor.user_id, *step)}) == 1;
  } else if (factor.confirmed_at) {
    right = tx.run({&use_recovery_code_sql, params(factor.tenant_id, factor.user_id, hash_of_typed_code(code))}) == 1;
  }
  if (right) reset_second_factor_failures(tx, factor.tenant_id, factor.user_id);
  return right;
}

static const Sql confirm_sql(
    "UPDATE second_factors SET confirmed_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND sealed_secret = $4");

void confirm_second_factor(Tx& tx, const SecondFactor& factor, Instant now) {
  const Query confirm{&confirm_sql, params(factor.tenant_id, factor.user_id, now, factor.sealed_secret)};
  if (tx.run(confirm) == 0) throw WriteRace();
}

static const Sql delete_codes_sql("DELETE FROM recovery_codes WHERE tenant_id = $1 AND user_id = $2");
static const Sql delete_sql("DELETE FROM second_factors WHERE tenant_id = $1 AND user_id = $2");

bool delete_second_factor(Tx& tx, const TenantId& user_tenant, const UserId& user) {
  tx.later({&delete_codes_sql, params(user_tenant, user)});
  return tx.run({&delete_sql, params(user_tenant, user)}) == 1;
}

static const Sql insert_code_sql("INSERT INTO recovery_codes (tenant_id, user_id, code_hash) VALUES ($1, $2, $3)");

std::vector<std::string> make_recovery_codes(Tx& tx, const TenantId& user_tenant, const UserId& user) {
  tx.later({&delete_codes_sql, params(user_tenant, user)});
  std::vector<std::string> codes;
  for (std::size_t i = 0; i < recovery_codes_given; ++i) {
    codes.push_back(make_typed_code());
    tx.later({&insert_code_sql, params(user_tenant, user, hash_of_typed_code(codes.back()))});
  }
  return codes;
}

static const Sql count_codes_sql("SELECT COUNT(*) FROM recovery_codes WHERE tenant_id = $1 AND user_id = $2");

std::int64_t count_recovery_codes(Tx& tx, const TenantId& user_tenant, const UserId& user) {
  return tx
      .one(Select<std::int64_t>{{&count_codes_sql, params(user_tenant, user)},
                                [](const Row& row) { return row.integer(0); }})
      .value_or(0);
}

bool has_second_factor(Tx& tx, const UserId& user) {
  const auto record = tx.one(user_anywhere(user));
  const auto factor = record ? tx.one(second_factor_of(record->tenant_id, user)) : std::nullopt;
  return factor && factor->confirmed_at;
}

static bool found(const Row&) {
  return true;
}

static const Sql lacks_sql(std::string("SELECT 1").append(from_shop_with_second_factor) +
                           " AND NOT EXISTS (SELECT 1 FROM second_factors f WHERE f.tenant_id = $2 AND f.user_id = $3 "
                           "AND f.confirmed_at IS NOT NULL)");

Select<bool> lacks_second_factor(const TenantId& tenant, const TenantId& user_tenant, const UserId& user) {
  return {{&lacks_sql, params(tenant, user_tenant, user)}, found};
}

static const Sql requires_sql(std::string("SELECT 1").append(from_shop_with_second_factor));

Select<bool> requires_second_factor(const TenantId& tenant) {
  return {{&requires_sql, params(tenant)}, found};
}

Failure second_factor_required() {
  return bad_request("SECOND_FACTOR_REQUIRED", "Send the code of your second factor as well.");
}

Failure second_factor_invalid() {
  return bad_request("SECOND_FACTOR_INVALID", "The code is wrong or was used before.");
}

}  // namespace guildhall
