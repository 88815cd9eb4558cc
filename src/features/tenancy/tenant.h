#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/page.h"
#include "base/declared.h"
#include "base/field_types.h"
#include "storage/database.h"

namespace guildhall {

// A shop: one chat server, one tenant.
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

// A tenant on the wire: like every record it has an `id`, which is its tenantId.
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

// An id as people choose it.
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

// All SQL of tenants. A deleted tenant is found by nobody.
Select<Tenant> tenant_by_id(const TenantId& tenant);

// Newest first, after the position; for PlatformAdmins only.
Select<Tenant> tenants_after(const Position& position, std::int64_t limit);

// False if there is, or was, a tenant of that id.
bool insert_tenant(Tx& tx, const Tenant& tenant);

// Writes the record over the version it was read at, counting the version up. Throws WriteRace if it has changed.
void update_tenant(Tx& tx, Tenant& tenant);

// An empty database gets its first tenant; one that has any tenant is left alone. Returns whether it was made.
bool ensure_default_tenant(Tx& tx, const TenantId& tenant, Instant now);

}  // namespace guildhall
