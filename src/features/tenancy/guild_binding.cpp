#include "features/tenancy/guild_binding.h"

#include "storage/columns.h"

namespace guildhall {
namespace {

const std::string select_binding = select_from<GuildBinding>("guild_bindings");

}  // namespace

static const Sql of_tenant_sql(select_binding + " WHERE tenant_id = $1 ORDER BY created_at, guild_id LIMIT 1");

Select<GuildBinding> guild_of_tenant(const TenantId& tenant) {
  return {{&of_tenant_sql, params(tenant)}, read_row<GuildBinding>};
}

static const Sql all_of_tenant_sql(select_binding + " WHERE tenant_id = $1 ORDER BY created_at, guild_id");

Select<GuildBinding> guilds_of_tenant(const TenantId& tenant) {
  return {{&all_of_tenant_sql, params(tenant)}, read_row<GuildBinding>};
}

static const Sql binding_of_guild_sql(select_binding + " WHERE guild_id = $1");

Select<GuildBinding> binding_of_guild(const std::string& guild_id) {
  return {{&binding_of_guild_sql, params(guild_id)}, read_row<GuildBinding>};
}

static const Sql bind_sql(
    "INSERT INTO guild_bindings (tenant_id, guild_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING");

bool bind_guild(Tx& tx, const TenantId& tenant, const std::string& guild_id, Instant now) {
  return tx.run({&bind_sql, params(tenant, guild_id, now)}) == 1;
}

static const Sql release_all_sql("DELETE FROM guild_bindings WHERE tenant_id = $1");

void release_all_guilds(Tx& tx, const TenantId& tenant) {
  tx.later({&release_all_sql, params(tenant)});
}

static const Sql move_guilds_sql("UPDATE guild_bindings SET tenant_id = $2 WHERE tenant_id = $1");

std::vector<GuildBinding> move_guilds(Tx& tx, const TenantId& from, const TenantId& to) {
  std::vector<GuildBinding> moved = tx.all(guilds_of_tenant(from));
  tx.run({&move_guilds_sql, params(from, to)});
  return moved;
}

static const Sql release_sql("DELETE FROM guild_bindings WHERE tenant_id = $1 AND guild_id = $2");

bool release_guild(Tx& tx, const TenantId& tenant, const std::string& guild_id) {
  return tx.run({&release_sql, params(tenant, guild_id)}) == 1;
}

}  // namespace guildhall
