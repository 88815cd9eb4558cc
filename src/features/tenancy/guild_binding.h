#pragma once

#include <string>

#include "base/declared.h"
#include "storage/database.h"

namespace guildhall {

// A chat server ("guild") that is a tenant's.
struct GuildBinding {
  TenantId tenant_id;
  std::string guild_id;
  Instant created_at;
};
BOOST_DESCRIBE_STRUCT(GuildBinding, (), (tenant_id, guild_id, created_at))

// The tenant's server; the first that was bound, should there be several.
Select<GuildBinding> guild_of_tenant(const TenantId& tenant);

// All of the tenant's.
Select<GuildBinding> guilds_of_tenant(const TenantId& tenant);

// Whose server it is.
Select<GuildBinding> binding_of_guild(const std::string& guild_id);

// False if the server is somebody's already. Of several at the same moment one succeeds.
bool bind_guild(Tx& tx, const TenantId& tenant, const std::string& guild_id, Instant now);

// A deleted tenant keeps none: the servers may have shops again.
void release_all_guilds(Tx& tx, const TenantId& tenant);

// False if it is not the tenant's.
bool release_guild(Tx& tx, const TenantId& tenant, const std::string& guild_id);

}  // namespace guildhall
