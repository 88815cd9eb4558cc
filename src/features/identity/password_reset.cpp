#include "features/identity/password_reset.h"

#include "features/identity/secret_text.h"
#include "features/identity/user_store.h"
#include "features/tenancy/tenant.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

constexpr std::string_view reset_prefix = "gr_";

const Sql select_reset_sql(select_from<PasswordReset>("password_resets") + " WHERE tenant_id = $1 AND user_id = $2");

std::optional<PasswordReset> find_reset(Tx& tx, std::string_view text, Instant now) {
  const auto parts = parse_secret_text(reset_prefix, text);
  if (!parts) return std::nullopt;
  auto reset =
      tx.one(Select<PasswordReset>{{&select_reset_sql, params(parts->tenant, parts->id)}, read_row<PasswordReset>});
  if (!reset || !is_secret_of(reset->secret_hash, parts->secret) || reset->expires_at <= now) return std::nullopt;
  return reset;
}

bool has_rank(Tx& tx, const api::Caller& maker, const PasswordReset& reset) {
  try {
    require_rank(tx, maker, reset.tenant_id, reset.user_id, RankFor::user);
    return true;
  } catch (const Failure& failure) {
    if (failure.kind != Failure::Kind::forbidden) throw;
    return false;
  }
}

}  // namespace

static const Sql put_sql(insert_into<PasswordReset>("password_resets") +
                         " ON CONFLICT (tenant_id, user_id) DO UPDATE SET user_epoch = excluded.user_epoch,"
                         " maker_id = excluded.maker_id, maker_tenant_id = excluded.maker_tenant_id,"
                         " through_application = excluded.through_application, secret_hash = excluded.secret_hash,"
                         " created_at = excluded.created_at, expires_at = excluded.expires_at");

void put_password_reset(Tx& tx, const PasswordReset& reset) {
  tx.run({&put_sql, values_of(reset)});
}

static const Sql delete_password_reset_sql("DELETE FROM password_resets WHERE tenant_id = $1 AND user_id = $2");

bool delete_password_reset(Tx& tx, const TenantId& tenant, const UserId& user) {
  return tx.run({&delete_password_reset_sql, params(tenant, user)}) == 1;
}

std::string password_reset_text(const PasswordReset& reset, std::string_view secret) {
  return secret_text(reset_prefix, reset.tenant_id, reset.user_id.text(), secret);
}

OpenPasswordReset open_password_reset(Tx& tx, std::string_view text, const TenantId& home_tenant, Instant now) {
  auto reset = find_reset(tx, text, now);
  if (!reset) throw not_found("Link");
  lock_user(tx, reset->tenant_id, reset->user_id);
  reset = find_reset(tx, text, now);  // it may have been used while this transaction waited for the lock
  if (!reset) throw not_found("Link");
  auto user = tx.one(user_by_id(reset->tenant_id, reset->user_id));
  const LinkMaker link_maker{reset->maker_id, reset->maker_tenant_id, reset->through_application};
  auto maker = present_caller(tx, link_maker, reset->tenant_id, home_tenant);
  if (!user || user->session_epoch != reset->user_epoch || !tx.one(tenant_by_id(reset->tenant_id)) || !maker ||
      !maker->may("admin.access") || !has_rank(tx, *maker, *reset)) {
    throw not_found("Link");
  }
  return {std::move(*reset), std::move(*user), std::move(*maker)};
}

bool is_password_reset(Tx& tx, std::string_view text, Instant now) {
  return find_reset(tx, text, now).has_value();
}

}  // namespace guildhall
