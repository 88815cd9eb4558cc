#include "features/identity/grants.h"

#include <unordered_map>

#include "features/identity/permissions.h"
#include "features/tenancy/binding_code.h"
#include "features/tenancy/tenant_store.h"
#include "storage/columns.h"

namespace guildhall {

// If several other tenants have a user with that id, the user is ambiguous: the grant is then valid for nobody.
static const Sql add_sql(
    "INSERT INTO grants (tenant_id, user_id, key, created_at, user_tenant_id) VALUES ($1, $2, $3, $4,"
    " COALESCE((SELECT tenant_id FROM users WHERE tenant_id = $1 AND id = $2),"
    " (SELECT CASE COUNT(*) WHEN 0 THEN $1 WHEN 1 THEN MIN(tenant_id) ELSE '' END FROM users WHERE id = $2)))"
    " ON CONFLICT DO NOTHING");

bool add_grant(Tx& tx, const TenantId& tenant, const UserId& user, std::string_view key, Instant now) {
  return tx.run({&add_sql, params(tenant, user, std::string(key), now)}) == 1;
}

static const Sql remove_sql("DELETE FROM grants WHERE tenant_id = $1 AND user_id = $2 AND key = $3");

void remove_grant(Tx& tx, const TenantId& tenant, const UserId& user, std::string_view key) {
  tx.run({&remove_sql, params(tenant, user, std::string(key))});
  delete_binding_codes_of(tx, tenant, user);
}

static const Sql tenants_of_user_sql(
    "SELECT DISTINCT tenant_id FROM grants WHERE user_id = $1 AND user_tenant_id = $2");
static const Sql remove_all_sql("DELETE FROM grants WHERE user_id = $1 AND user_tenant_id = $2");

void remove_all_grants(Tx& tx, const TenantId& user_tenant, const UserId& user) {
  const Select<std::string> tenants{{&tenants_of_user_sql, params(user, user_tenant)}, read_first_text};
  for (const std::string& tenant : tx.all(tenants)) delete_binding_codes_of(tx, TenantId(tenant), user);
  tx.run({&remove_all_sql, params(user, user_tenant)});
}

static const Sql remove_tenants_sql("DELETE FROM grants WHERE tenant_id = $1");

void remove_tenants_grants(Tx& tx, const TenantId& tenant) {
  tx.run({&remove_tenants_sql, params(tenant)});
}

static const Sql any_sql("SELECT key FROM grants WHERE tenant_id = $1 LIMIT 1");

bool grant_first_admin(Tx& tx, const TenantId& tenant, const UserId& user, Instant now) {
  const Select<std::string> any{{&any_sql, params(tenant)}, read_first_text};
  if (tx.one(any)) return false;  // the usual case, which needs no lock
  lock_grants(tx, tenant);
  if (tx.one(any)) return false;
  add_grant(tx, tenant, user, tenant_admin, now);
  return true;
}

static const Sql grants_sql(
    "SELECT COALESCE(r.key, g.key) FROM grants g"
    " LEFT JOIN role_keys r ON r.tenant_id = g.tenant_id AND r.role = g.key"
    " WHERE g.user_id = $2 AND g.user_tenant_id = $4 AND (r.key IS NULL OR r.key <> 'PlatformAdmin') AND"
    " ((g.tenant_id = $1 AND g.key <> 'PlatformAdmin') OR (g.tenant_id = $3 AND g.key = 'PlatformAdmin'))");

Select<std::string> grants_of(const TenantId& tenant, const TenantId& user_tenant, const UserId& user,
                              const TenantId& home_tenant) {
  return {{&grants_sql, params(tenant, user, home_tenant, user_tenant)}, read_first_text};
}

static const Sql granted_in_sql("SELECT key FROM grants WHERE tenant_id = $1 AND user_id = $2");

// Sorted here, because the database's order depends on its locale.
std::vector<std::string> granted_in(Tx& tx, const TenantId& tenant, const UserId& user) {
  auto keys = tx.all(Select<std::string>{{&granted_in_sql, params(tenant, user)}, read_first_text});
  std::sort(keys.begin(), keys.end());
  return keys;
}

static const Sql tenant_of_holder_sql(
    "SELECT user_tenant_id FROM grants WHERE tenant_id = $1 AND user_id = $2 ORDER BY key LIMIT 1");

Select<TenantId> tenant_of_holder(const TenantId& tenant, const UserId& user) {
  return {{&tenant_of_holder_sql, params(tenant, user)}, [](const Row& row) { return TenantId(row.text(0)); }};
}

static const Sql everywhere_sql(
    "SELECT g.tenant_id, COALESCE(r.key, g.key) FROM grants g"
    " LEFT JOIN role_keys r ON r.tenant_id = g.tenant_id AND r.role = g.key"
    " WHERE g.user_id = $1 AND g.user_tenant_id = $2 ORDER BY g.tenant_id, g.key");

Select<Grant> grants_everywhere(const TenantId& user_tenant, const UserId& user) {
  return {{&everywhere_sql, params(user, user_tenant)}, [](const Row& row) {
            return Grant{TenantId(row.text(0)), std::string(row.text(1))};
          }};
}

static const Sql tenants_sql(select_from<Tenant>("tenants") +
                             " WHERE deleted_at IS NULL AND tenant_id IN"
                             " (SELECT tenant_id FROM grants WHERE user_id = $1 AND user_tenant_id = $2)"
                             " LIMIT $3");

Select<Tenant> tenants_with_grants(const TenantId& user_tenant, const UserId& user, std::int64_t limit) {
  return {{&tenants_sql, params(user, user_tenant, limit)}, read_row<Tenant>};
}

static const Sql administered_sql(
    select_from<Tenant>("tenants") +
    " WHERE deleted_at IS NULL AND tenant_id IN"
    " (SELECT g.tenant_id FROM identities i JOIN grants g ON g.user_id = i.user_id AND g.user_tenant_id = i.tenant_id"
    " WHERE i.provider = $1 AND i.provider_user_id = $2 AND g.key = $3) LIMIT $4");

Select<Tenant> tenants_administered_by(std::string_view provider, const std::string& provider_user_id,
                                       std::int64_t limit) {
  return {{&administered_sql, params(std::string(provider), provider_user_id, std::string(tenant_admin), limit)},
          read_row<Tenant>};
}

static const Sql shops_opened_sql(
    "SELECT COUNT(*) FROM identities i JOIN tenants t ON t.tenant_id = i.tenant_id AND t.owner_user_id = i.user_id"
    " WHERE i.provider = $1 AND i.provider_user_id = $2 AND t.created_at > $3");

Select<std::int64_t> number_of_shops_opened(std::string_view provider, const std::string& provider_user_id,
                                            Instant since) {
  return {{&shops_opened_sql, params(std::string(provider), provider_user_id, since)},
          [](const Row& row) { return row.integer(0); }};
}

static const Sql grant_holders_sql(
    "SELECT DISTINCT user_id FROM grants WHERE tenant_id = $1 AND user_id > $2 ORDER BY user_id LIMIT $3");
static const Sql holders_keys_sql(
    "SELECT g.user_id, u.display_name, g.key FROM grants g"
    " LEFT JOIN users u ON u.tenant_id = g.user_tenant_id AND u.id = g.user_id"
    " WHERE g.tenant_id = $1 AND g.user_id > $2 AND g.user_id <= $3");

std::vector<GrantHolder> grant_holders_after(Tx& tx, const TenantId& tenant, const std::string& user,
                                             std::int64_t limit) {
  std::vector<GrantHolder> holders;
  std::unordered_map<std::string, std::size_t> places;
  tx.run({&grant_holders_sql, params(tenant, user, limit)}, [&](const Row& row) {
    places.emplace(row.text(0), holders.size());
    holders.push_back({UserId(row.text(0)), std::nullopt, {}});
  });
  if (holders.empty()) return holders;
  tx.run({&holders_keys_sql, params(tenant, user, holders.back().user_id)}, [&](const Row& row) {
    GrantHolder& holder = holders[places.at(std::string(row.text(0)))];
    if (!row.is_null(1)) holder.display_name = row.text(1);
    holder.keys.emplace_back(row.text(2));
  });
  for (GrantHolder& holder : holders) std::sort(holder.keys.begin(), holder.keys.end());
  return holders;
}

static const Sql users_sql("SELECT DISTINCT user_id FROM grants WHERE tenant_id = $1");

Select<UserId> users_with_grants(const TenantId& tenant) {
  return {{&users_sql, params(tenant)}, [](const Row& row) { return UserId(row.text(0)); }};
}

void lock_grants(Tx& tx, const TenantId& tenant) {
  lock_tenant(tx, tenant);
}

static const Sql another_admin_sql(
    "SELECT key FROM grants WHERE tenant_id = $1 AND user_id <> $2 AND key = 'TenantAdmin' LIMIT 1");

bool has_another_admin(Tx& tx, const TenantId& tenant, const UserId& user) {
  return tx.one(Select<std::string>{{&another_admin_sql, params(tenant, user)}, read_first_text}).has_value();
}

}  // namespace guildhall
