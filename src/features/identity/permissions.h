#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/declared.h"

namespace guildhall {

constexpr std::string_view platform_admin = "PlatformAdmin";
constexpr std::string_view tenant_admin = "TenantAdmin";

// A permission key as the API lists it.
struct PermissionKey {
  std::string key;
  std::string meaning;
  std::vector<std::string> implies;
};
BOOST_DESCRIBE_STRUCT(PermissionKey, (), (key, meaning, implies))

bool contains(const std::vector<std::string>& keys, std::string_view key);

// The keys that routes ask for, and the roles that bundle them.
std::vector<PermissionKey> known_permissions();

// Adds the keys that the granted roles imply. Sorted, without duplicates.
std::vector<std::string> with_implied(const std::vector<std::string>& grants);

// Whether a user with these permission keys also holds the key. A PlatformAdmin holds every key. TenantStaff
// and TenantManager only bundle other keys, so a user who holds all of these holds them.
bool holds(const std::vector<std::string>& permission_keys, std::string_view key);

// Whether a tenant has defined the key itself, such as `treasurer`: it implies no other key, and no route requires it.
bool is_custom_key(std::string_view key);

}  // namespace guildhall
