#include "features/identity/permissions.h"

#include <algorithm>
#include <array>
#include <span>

namespace guildhall {
namespace {

struct Role {
  std::string_view key;
  std::array<std::string_view, 5> implies;  // everything, also what the implied roles imply
};

constexpr Role roles[] = {
    {platform_admin, {tenant_admin, "TenantStaff", "admin.access", "data.read", "data.write"}},
    {tenant_admin, {"admin.access", "data.read", "data.write"}},
    {"TenantStaff", {"data.read", "data.write"}},
};

}  // namespace

std::vector<std::string> with_implied(const std::vector<std::string>& grants) {
  std::vector<std::string> keys = grants;
  for (const std::string& grant : grants) {
    for (const Role& role : roles) {
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
