#include "features/identity/permissions.h"

#include <algorithm>
#include <array>
#include <span>

namespace guildhall {
namespace {

struct Role {
  std::string_view key;
  std::array<std::string_view, 5> implies;  // all implied keys, also those of implied roles
};

constexpr std::string_view tenant_manager = "TenantManager", tenant_staff = "TenantStaff";

constexpr Role built_in_roles[] = {
    {platform_admin, {tenant_admin, tenant_staff, "admin.access", "data.read", "data.write"}},
    {tenant_admin, {"admin.access", "data.read", "data.write"}},
    {tenant_manager, {"admin.access", "data.read", "data.write"}},
    {tenant_staff, {"data.read", "data.write"}},
};

}  // namespace

bool contains(const std::vector<std::string>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::vector<PermissionKey> known_permissions() {
  std::vector<PermissionKey> keys{
      {"data.read", "Read products, customers, discounts, orders, shipments and entitlements.", {}},
      {"data.write", "Create, change and delete them.", {}},
      {"admin.access", "Use the administration: users, payments, refunds, webhooks, the fund, the audit trail.", {}},
      {std::string(tenant_staff), "A role for people who run the shop day by day.", {}},
      {std::string(tenant_manager),
       "A role for people who run the shop for its owner: everything but what needs TenantAdmin.",
       {}},
      {std::string(tenant_admin), "A role for owners: everything in the tenant, and who may do what.", {}},
      {std::string(platform_admin),
       "A role for operators: everything in every tenant. Granted in the default tenant only.",
       {}},
  };
  for (PermissionKey& key : keys) {
    for (const Role& role : built_in_roles) {
      if (role.key != key.key) continue;
      for (const std::string_view implied : role.implies) {
        if (!implied.empty()) key.implies.emplace_back(implied);
      }
    }
  }
  return keys;
}

bool holds(const std::vector<std::string>& permission_keys, std::string_view key) {
  if (contains(permission_keys, key) || contains(permission_keys, platform_admin)) return true;
  if (key != tenant_staff && key != tenant_manager) return false;
  const bool uses_data = contains(permission_keys, "data.read") && contains(permission_keys, "data.write");
  return uses_data && (key == tenant_staff || contains(permission_keys, "admin.access"));
}

bool is_custom_key(std::string_view key) {
  const auto& known = built_in_roles[0].implies;
  return key != platform_admin && key != tenant_manager && std::find(known.begin(), known.end(), key) == known.end();
}

std::vector<std::string> with_implied(const std::vector<std::string>& grants) {
  std::vector<std::string> keys = grants;
  for (const std::string& grant : grants) {
    for (const Role& role : built_in_roles) {
      if (role.key != grant) continue;
      for (const std::string_view implied : role.implies) {
        if (!implied.empty()) keys.emplace_back(implied);
      }
    }
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace guildhall
