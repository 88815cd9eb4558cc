#include "features/identity/user_store.h"

#include "storage/columns.h"

namespace guildhall {
namespace {

const Sql by_username_sql("SELECT " + columns<User>() + " FROM users WHERE tenant_id = $1 AND username = $2");

const Sql insert_sql("INSERT INTO users (" + columns<User>() + ") VALUES (" + placeholders<User>() +
                     ") ON CONFLICT (tenant_id, username) DO NOTHING");

const Sql add_grant_sql(
    "INSERT INTO grants (tenant_id, user_id, key, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING");

const Sql grants_sql(
    "SELECT key FROM grants WHERE user_id = $2 AND "
    "(tenant_id = $1 OR (tenant_id = $3 AND key = 'PlatformAdmin')) ORDER BY key");

}  // namespace

Select<User> user_by_username(const TenantId& tenant, const std::string& username) {
  return {{&by_username_sql, params(tenant, username)}, read_row<User>};
}

User find_or_create_user(Tx& tx, const TenantId& tenant, const std::string& username, Instant now) {
  if (auto known = tx.one(user_by_username(tenant, username))) return std::move(*known);
  const User fresh{.id = UserId::make(now),
                   .tenant_id = tenant,
                   .username = username,
                   .display_name = username,
                   .email = {},
                   .avatar_url = {},
                   .chat_id = {},
                   .roles = {},
                   .is_admin = false,
                   .customer_id = {},
                   .primary_customer_id = {},
                   .password_hash = {},
                   .created_at = now,
                   .updated_at = now,
                   .version = {1}};
  if (tx.run({&insert_sql, values_of(fresh)}) == 1) return fresh;
  auto made_by_another = tx.one(user_by_username(tenant, username));
  if (!made_by_another) throw WriteRace();
  return std::move(*made_by_another);
}

void add_grant(Tx& tx, const TenantId& tenant, const UserId& user, std::string_view key, Instant now) {
  tx.run({&add_grant_sql, params(tenant, user, std::string(key), now)});
}

Select<std::string> grants_of(const TenantId& tenant, const UserId& user, const TenantId& home_tenant) {
  return {{&grants_sql, params(tenant, user, home_tenant)}, [](const Row& row) { return std::string(row.text(0)); }};
}

}  // namespace guildhall
