#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"
#include "base/field_types.h"
#include "storage/database.h"

// Roles of a tenant: named sets of permission keys. A grant whose key is the name of a role gives the keys of the role;
// grants.h reads them together. The name itself is no permission, so that a role cannot be named like a custom key to
// obtain it. Roles do not contain other roles.
namespace guildhall {

constexpr std::int64_t roles_max = 50;          // in one tenant
constexpr std::int64_t role_holders_max = 200;  // a change of a role affects all of its holders in one transaction
constexpr std::size_t role_keys_max = 50;

struct CustomRole {
  Hidden<TenantId> tenant_id;
  std::string name;
  std::optional<std::string> description;
  std::vector<std::string> keys;  // sorted
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(CustomRole, (), (tenant_id, name, description, keys, created_at, updated_at, version))

struct NewCustomRole {
  using Record = CustomRole;
  std::string name;
  std::optional<Text<500>> description;
  std::vector<std::string> keys;
};
BOOST_DESCRIBE_STRUCT(NewCustomRole, (), (name, description, keys))

struct CustomRolePatch {
  using Record = CustomRole;
  Change<std::optional<Text<500>>> description;
  Change<std::vector<std::string>> keys;
};
BOOST_DESCRIBE_STRUCT(CustomRolePatch, (), (description, keys))

// Both throw invalid_fields. A role cannot contain TenantAdmin or PlatformAdmin: these are granted by themselves, so
// that the rules about the last TenantAdmin need not look into roles.
CustomRole role_from(const NewCustomRole& input, const TenantId& tenant, Instant now);
void apply(const CustomRolePatch& patch, CustomRole& role);

Select<CustomRole> role_by_name(const TenantId& tenant, const std::string& name);

// All of them, sorted by name; at most roles_max.
Select<CustomRole> roles_of(const TenantId& tenant);

// The keys of the role with that name; none if there is no such role.
Select<std::string> keys_of_role(const TenantId& tenant, const std::string& name);

// Replaces each name of a role by the keys of the role.
std::vector<std::string> with_keys_of_roles(Tx& tx, const TenantId& tenant, const std::vector<std::string>& keys);

void insert_role(Tx& tx, const CustomRole& role);

// Increments the version. Throws WriteRace if the role was changed since it was read.
void update_role(Tx& tx, CustomRole& role);
void delete_role(Tx& tx, const CustomRole& role);

// The users who hold the key, ordered by id.
struct KeyHolder {
  UserId user;
  TenantId user_tenant;
  bool operator==(const KeyHolder&) const = default;
};
Select<KeyHolder> holders_of_key(const TenantId& tenant, const std::string& key, std::int64_t limit);

// Throws conflict if the key is a role that has as many holders as it may have. The tenant's grants must be locked.
void require_room_for_holder(Tx& tx, const TenantId& tenant, const std::string& key);

// The custom keys that are granted in the tenant, without the names of roles, sorted; at most `limit`.
std::vector<std::string> granted_custom_keys(Tx& tx, const TenantId& tenant, std::int64_t limit);

}  // namespace guildhall
