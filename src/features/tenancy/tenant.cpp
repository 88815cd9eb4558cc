#include "features/tenancy/tenant.h"

#include "storage/columns.h"

namespace guildhall {
namespace {

const std::string select_tenant = select_from<Tenant>("tenants");

}  // namespace

void Codec<NewTenantId>::decode(JsonValue value, NewTenantId& out, Decoder& decoder) {
  if (!decode_required_text(value, out.value, text_characters_max, decoder)) return;
  if (!is_tenant_id(out.value)) decoder.problem("must be 1 to 64 characters of A-Z a-z 0-9 _ -");
}

TenantView view_of(const Tenant& tenant) {
  return {.id = tenant.tenant_id,
          .tenant_id = tenant.tenant_id,
          .name = tenant.name,
          .owner_user_id = tenant.owner_user_id,
          .admin_user_ids = tenant.admin_user_ids,
          .created_at = tenant.created_at,
          .updated_at = tenant.updated_at,
          .version = tenant.version};
}

Tenant tenant_from(const NewTenant& input, Instant now) {
  return {.tenant_id = TenantId(input.tenant_id.value),
          .name = input.name,
          .owner_user_id = input.owner_user_id,
          .admin_user_ids = input.admin_user_ids.value,
          .created_at = now,
          .updated_at = now,
          .deleted_at = {},
          .version = {1}};
}

void apply(const TenantPatch& patch, Tenant& tenant) {
  patch.name.apply_to(tenant.name);
  patch.owner_user_id.apply_to(tenant.owner_user_id);
  if (patch.admin_user_ids) tenant.admin_user_ids = (*patch.admin_user_ids).value_or(ReferenceList());
}

static const Sql by_id_sql(select_tenant + " WHERE tenant_id = $1 AND deleted_at IS NULL");

Select<Tenant> tenant_by_id(const TenantId& tenant) {
  return {{&by_id_sql, params(tenant)}, read_row<Tenant>};
}

// As tenants_name_idx.
static const Sql by_name_sql(select_tenant +
                             " WHERE LOWER(SUBSTR(name, 1, 200)) = LOWER(CAST($1 AS text)) AND LENGTH(name) <= 200"
                             " AND deleted_at IS NULL LIMIT 2");

Select<Tenant> tenants_named(std::string_view name) {
  return {{&by_name_sql, params(std::string(name))}, read_row<Tenant>};
}

static const Sql tenant_of_guild_sql(select_tenant +
                                     " WHERE tenant_id = (SELECT tenant_id FROM guild_bindings WHERE guild_id = $1)"
                                     " AND deleted_at IS NULL");

Select<Tenant> tenant_of_guild(const std::string& guild_id) {
  return {{&tenant_of_guild_sql, params(guild_id)}, read_row<Tenant>};
}

static const Sql after_sql(select_tenant +
                           " WHERE deleted_at IS NULL AND (created_at, tenant_id) < ($1, $2)"
                           " ORDER BY created_at DESC, tenant_id DESC LIMIT $3");

Select<Tenant> tenants_after(const Position& position, std::int64_t limit) {
  return {{&after_sql, params(position.created_at, position.id, limit)}, read_row<Tenant>};
}

static const Sql insert_sql(insert_into<Tenant>("tenants") + " ON CONFLICT (tenant_id) DO NOTHING");

bool insert_tenant(Tx& tx, const Tenant& tenant) {
  return tx.run({&insert_sql, values_of(tenant)}) == 1;
}

static const Sql update_sql(versioned_update<Tenant>("tenants", 1));

void update_tenant(Tx& tx, Tenant& tenant) {
  write_versioned(tx, update_sql, tenant);
}

// Two nodes that start at once on an empty database create only one tenant.
static const Sql insert_first_sql("INSERT INTO tenants (" + columns<Tenant>() + ") SELECT " + placeholders<Tenant>() +
                                  " WHERE NOT EXISTS (SELECT 1 FROM tenants) ON CONFLICT (tenant_id) DO NOTHING");

bool ensure_default_tenant(Tx& tx, const TenantId& tenant, Instant now) {
  const Tenant first{.tenant_id = tenant,
                     .name = tenant.text(),
                     .owner_user_id = UserId(std::string()),
                     .admin_user_ids = {},
                     .created_at = now,
                     .updated_at = now,
                     .deleted_at = {},
                     .version = {1}};
  return tx.run({&insert_first_sql, values_of(first)}) == 1;
}

}  // namespace guildhall
