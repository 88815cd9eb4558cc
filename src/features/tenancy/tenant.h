#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/page.h"
#include "base/declared.h"
#include "base/field_types.h"
#include "storage/database.h"

namespace guildhall {

// A shop.
struct Tenant {
  TenantId tenant_id;
  std::string name;
  UserId owner_user_id;
  std::vector<std::string> admin_user_ids;
  Instant created_at;
  Instant updated_at;
  Hidden<std::optional<Instant>> deleted_at;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(Tenant, (),
                      (tenant_id, name, owner_user_id, admin_user_ids, created_at, updated_at, deleted_at, version))

// A tenant as the API shows it: like every record it has an `id`, which equals its tenantId.
struct TenantView {
  TenantId id;
  TenantId tenant_id;
  std::string name;
  UserId owner_user_id;
  std::vector<std::string> admin_user_ids;
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(TenantView, (),
                      (id, tenant_id, name, owner_user_id, admin_user_ids, created_at, updated_at, version))
TenantView view_of(const Tenant& tenant);

// A tenant id that a person has chosen.
struct NewTenantId {
  std::string value;
};

template <>
struct Codec<NewTenantId> : PlainCodec {
  static void decode(JsonValue value, NewTenantId& out, Decoder& decoder);
  static void encode(std::string& out, const NewTenantId& value) { json::append_string(out, value.value); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$"})"); }
};

struct NewTenant {
  using Record = TenantView;
  NewTenantId tenant_id;
  Text<> name;
  UserId owner_user_id;
  Default<ReferenceList> admin_user_ids{};
};
BOOST_DESCRIBE_STRUCT(NewTenant, (), (tenant_id, name, owner_user_id, admin_user_ids))

struct TenantPatch {
  using Record = TenantView;
  Change<Text<>> name;
  Change<UserId> owner_user_id;
  Change<std::optional<ReferenceList>> admin_user_ids;
};
BOOST_DESCRIBE_STRUCT(TenantPatch, (), (name, owner_user_id, admin_user_ids))

Tenant tenant_from(const NewTenant& input, Instant now);
void apply(const TenantPatch& patch, Tenant& tenant);

// Deleted tenants are not found by any of these.
Select<Tenant> tenant_by_id(const TenantId& tenant);

// At most two tenants with this name, in any case. A name is not unique.
Select<Tenant> tenants_named(std::string_view name);

// The tenant to which a chat server is bound.
Select<Tenant> tenant_of_guild(const std::string& guild_id);

// Newest first, after the position; for PlatformAdmins only.
Select<Tenant> tenants_after(const Position& position, std::int64_t limit);

// Returns false if the id is taken, also by a deleted tenant.
bool insert_tenant(Tx& tx, const Tenant& tenant);

// Updates the record and increments its version. Throws WriteRace if the stored version is not the one that was read.
void update_tenant(Tx& tx, Tenant& tenant);

// Creates the first tenant of an empty database. Returns false, and changes nothing, if there is any tenant.
bool ensure_default_tenant(Tx& tx, const TenantId& tenant, Instant now);

}  // namespace guildhall
