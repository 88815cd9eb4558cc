#include "features/identity/role.h"

#include "base/text.h"
#include "features/identity/grant_actions.h"
#include "features/identity/identity_import.h"
#include "features/identity/permissions.h"
#include "storage/record_table.h"

namespace guildhall {
namespace {

// Without case, so that no role looks like a built-in key.
bool is_built_in(std::string_view name) {
  const auto known = known_permissions();
  return std::any_of(known.begin(), known.end(),
                     [&](const PermissionKey& key) { return folded(name) == folded(key.key); });
}

std::vector<std::string> checked_keys(std::vector<std::string> keys, std::vector<Problem>& problems) {
  if (keys.empty() || keys.size() > role_keys_max) {
    problems.push_back({"keys", fmt::format("must name 1 to {} keys", role_keys_max)});
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!is_permission_key(keys[i])) {
      problems.push_back({fmt::format("keys[{}]", i), "must be 1 to 64 characters of A-Z a-z 0-9 . _ -"});
    } else if (keys[i] == tenant_admin || keys[i] == platform_admin) {
      problems.push_back({fmt::format("keys[{}]", i), "cannot be part of a role"});
    }
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

const RecordTable<CustomRole> role_table("roles");

}  // namespace

CustomRole role_from(const NewCustomRole& input, const TenantId& tenant, Instant now) {
  std::vector<Problem> problems;
  if (!is_permission_key(input.name)) {
    problems.push_back({"name", "must be 1 to 64 characters of A-Z a-z 0-9 . _ -"});
  } else if (is_built_in(input.name)) {
    problems.push_back({"name", "is the name of a built-in key"});
  }
  CustomRole role{.tenant_id = {tenant},
                  .name = input.name,
                  .description = input.description,
                  .keys = checked_keys(input.keys, problems),
                  .created_at = now,
                  .updated_at = now,
                  .version = {1}};
  if (!problems.empty()) throw invalid_fields(std::move(problems));
  return role;
}

void apply(const CustomRolePatch& patch, CustomRole& role) {
  patch.description.apply_to(role.description);
  if (!patch.keys) return;
  std::vector<Problem> problems;
  role.keys = checked_keys(*patch.keys, problems);
  if (!problems.empty()) throw invalid_fields(std::move(problems));
}

Select<CustomRole> role_by_name(const TenantId& tenant, const std::string& name) {
  return role_table.by_id(tenant, name);
}

static const Sql all_sql(role_table.select + " WHERE tenant_id = $1 ORDER BY name");

Select<CustomRole> roles_of(const TenantId& tenant) {
  return {{&all_sql, params(tenant)}, read_row<CustomRole>};
}

static const Sql keys_sql("SELECT key FROM role_keys WHERE tenant_id = $1 AND role = $2");

Select<std::string> keys_of_role(const TenantId& tenant, const std::string& name) {
  return {{&keys_sql, params(tenant, name)}, read_first_text};
}

std::vector<std::string> with_keys_of_roles(Tx& tx, const TenantId& tenant, const std::vector<std::string>& keys) {
  std::vector<std::string> all;
  for (const std::string& key : keys) {
    auto implied = is_custom_key(key) ? tx.all(keys_of_role(tenant, key)) : std::vector<std::string>();
    if (implied.empty()) implied.push_back(key);
    all.insert(all.end(), implied.begin(), implied.end());
  }
  return all;
}

static const Sql insert_key_sql("INSERT INTO role_keys (tenant_id, role, key) VALUES ($1, $2, $3)");

static void insert_keys(Tx& tx, const CustomRole& role) {
  for (const std::string& key : role.keys) tx.later({&insert_key_sql, params(role.tenant_id.value, role.name, key)});
}

static const Sql delete_keys_sql("DELETE FROM role_keys WHERE tenant_id = $1 AND role = $2");

static void delete_keys(Tx& tx, const CustomRole& role) {
  tx.later({&delete_keys_sql, params(role.tenant_id.value, role.name)});
}

void insert_role(Tx& tx, const CustomRole& role) {
  tx.later(role_table.insertion(role));
  insert_keys(tx, role);
}

void insert_keys_of_roles(Tx& tx, const TenantId& tenant) {
  for (const CustomRole& role : tx.all(roles_of(tenant))) insert_keys(tx, role);
}

void update_role(Tx& tx, CustomRole& role) {
  role_table.update(tx, role);
  delete_keys(tx, role);
  insert_keys(tx, role);
}

void delete_role(Tx& tx, const CustomRole& role) {
  role_table.erase(tx, role);
  delete_keys(tx, role);
}

static const Sql role_holders_sql(
    "SELECT user_id, user_tenant_id FROM grants WHERE tenant_id = $1 AND key = $2 ORDER BY user_id LIMIT $3");

Select<KeyHolder> holders_of_key(const TenantId& tenant, const std::string& key, std::int64_t limit) {
  return {{&role_holders_sql, params(tenant, key, limit)}, [](const Row& row) {
            return KeyHolder{UserId(row.text(0)), TenantId(row.text(1))};
          }};
}

void require_room_for_holder(Tx& tx, const TenantId& tenant, const std::string& key) {
  if (!is_custom_key(key) || tx.all(keys_of_role(tenant, key)).empty()) return;
  if (std::ssize(tx.all(holders_of_key(tenant, key, role_holders_max))) < role_holders_max) return;
  throw conflict("ROLE_FULL", fmt::format("The role {} has {} holders already.", key, role_holders_max));
}

// Reads one key after the other from the index, because a tenant can have very many grants of few keys.
static const Sql next_key_sql("SELECT key FROM grants WHERE tenant_id = $1 AND key > $2 ORDER BY key LIMIT 1");

std::vector<std::string> granted_custom_keys(Tx& tx, const TenantId& tenant, std::int64_t limit) {
  std::vector<std::string> keys;
  std::string last;
  while (std::ssize(keys) < limit) {
    const auto next = tx.one(Select<std::string>{{&next_key_sql, params(tenant, last)}, read_first_text});
    if (!next) break;
    last = *next;
    if (is_custom_key(last) && !tx.one(role_by_name(tenant, last))) keys.push_back(last);
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace guildhall
