#pragma once

#include <string>

#include "base/declared.h"
#include "storage/database.h"

namespace guildhall {

// A chat server ("guild") that is bound to a tenant.
struct GuildBinding {
  TenantId tenant_id;
  std::string guild_id;
  Instant created_at;
};
BOOST_DESCRIBE_STRUCT(GuildBinding, (), (tenant_id, guild_id, created_at))

// The tenant's chat server. If there are several, the one that was bound first.
Select<GuildBinding> guild_of_tenant(const TenantId& tenant);

// All chat servers of the tenant.
Select<GuildBinding> guilds_of_tenant(const TenantId& tenant);

// The binding of a chat server, to any tenant.
Select<GuildBinding> binding_of_guild(const std::string& guild_id);

// Returns false if the chat server is bound already. Of concurrent calls one succeeds.
bool bind_guild(Tx& tx, const TenantId& tenant, const std::string& guild_id, Instant now);

// Removes all bindings of a deleted tenant, so that its chat servers can be bound again.
void release_all_guilds(Tx& tx, const TenantId& tenant);

// Makes all chat servers of a tenant another tenant's. Returns them.
std::vector<GuildBinding> move_guilds(Tx& tx, const TenantId& from, const TenantId& to);

// Returns false if the chat server is not bound to the tenant.
bool release_guild(Tx& tx, const TenantId& tenant, const std::string& guild_id);

}  // namespace guildhall
