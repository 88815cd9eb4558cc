-- A chat server is one tenant's. Two that bind it at the same moment must meet in one key, so this is the one key that
-- does not begin with tenant_id: it is how a tenant is found, and the table is small. Where the schema is distributed
-- by tenant, guild_bindings is kept whole on every node (a reference table).
DELETE FROM guild_bindings WHERE EXISTS (
  SELECT 1 FROM guild_bindings earlier
  WHERE earlier.guild_id = guild_bindings.guild_id
    AND (earlier.created_at, earlier.tenant_id) < (guild_bindings.created_at, guild_bindings.tenant_id));
DROP INDEX guild_bindings_guild_idx;
CREATE UNIQUE INDEX guild_bindings_guild_key ON guild_bindings (guild_id);
