#include "features/identity/grants.h"

#include "features/identity/permissions.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

std::string read_key(const Row& row) {
  return std::string(row.text(0));
}

}  // namespace

static const Sql add_sql(
    "INSERT INTO grants (tenant_id, user_id, key, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING");

bool add_grant(Tx& tx, const TenantId& tenant, const UserId& user, std::string_view key, Instant now) {
  return tx.run({&add_sql, params(tenant, user, std::string(key), now)}) == 1;
}

static const Sql remove_sql("DELETE FROM grants WHERE tenant_id = $1 AND user_id = $2 AND key = $3");

void remove_grant(Tx& tx, const TenantId& tenant, const UserId& user, std::string_view key) {
  tx.run({&remove_sql, params(tenant, user, std::string(key))});
}

static const Sql remove_all_sql("DELETE FROM grants WHERE user_id = $1");

void remove_all_grants(Tx& tx, const UserId& user) {
  tx.run({&remove_all_sql, params(user)});
}

static const Sql remove_tenants_sql("DELETE FROM grants WHERE tenant_id = $1");

void remove_tenants_grants(Tx& tx, const TenantId& tenant) {
  tx.run({&remove_tenants_sql, params(tenant)});
}

static const Sql any_sql("SELECT key FROM grants WHERE tenant_id = $1 LIMIT 1");

bool grant_first_admin(Tx& tx, const TenantId& tenant, const UserId& user, Instant now) {
  const Select<std::string> any{{&any_sql, params(tenant)}, read_key};
  if (tx.one(any)) return false;  // the usual case needs no lock
  lock_grants(tx, tenant);
  if (tx.one(any)) return false;
  add_grant(tx, tenant, user, tenant_admin, now);
  return true;
}

static const Sql grants_sql(
    "SELECT key FROM grants WHERE user_id = $2 AND"
    " ((tenant_id = $1 AND key <> 'PlatformAdmin') OR (tenant_id = $3 AND key = 'PlatformAdmin')) ORDER BY key");

Select<std::string> grants_of(const TenantId& tenant, const UserId& user, const TenantId& home_tenant) {
  return {{&grants_sql, params(tenant, user, home_tenant)}, read_key};
}

static const Sql granted_in_sql("SELECT key FROM grants WHERE tenant_id = $1 AND user_id = $2 ORDER BY key");

Select<std::string> granted_in(const TenantId& tenant, const UserId& user) {
  return {{&granted_in_sql, params(tenant, user)}, read_key};
}

static const Sql everywhere_sql("SELECT tenant_id, key FROM grants WHERE user_id = $1 ORDER BY tenant_id, key");

Select<Grant> grants_everywhere(const UserId& user) {
  return {{&everywhere_sql, params(user)}, [](const Row& row) {
            return Grant{TenantId(row.text(0)), std::string(row.text(1))};
          }};
}

static const Sql users_sql("SELECT DISTINCT user_id FROM grants WHERE tenant_id = $1");

Select<UserId> users_with_grants(const TenantId& tenant) {
  return {{&users_sql, params(tenant)}, [](const Row& row) { return UserId(row.text(0)); }};
}

static const Sql lock_sql("UPDATE tenants SET tenant_id = tenant_id WHERE tenant_id = $1");

void lock_grants(Tx& tx, const TenantId& tenant) {
  tx.run({&lock_sql, params(tenant)});
}

static const Sql another_admin_sql(
    "SELECT key FROM grants WHERE tenant_id = $1 AND user_id <> $2 AND key = 'TenantAdmin' LIMIT 1");

bool has_another_admin(Tx& tx, const TenantId& tenant, const UserId& user) {
  return tx.one(Select<std::string>{{&another_admin_sql, params(tenant, user)}, read_key}).has_value();
}

}  // namespace guildhall
