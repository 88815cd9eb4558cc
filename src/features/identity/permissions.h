#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace guildhall {

constexpr std::string_view platform_admin = "PlatformAdmin";
constexpr std::string_view tenant_admin = "TenantAdmin";

// Roles are keys that imply others: these grants and all they imply, sorted, each once.
std::vector<std::string> with_implied(const std::vector<std::string>& grants);

// Whether somebody with these permission keys holds the key as well. A PlatformAdmin holds every key; TenantStaff only
// bundles other keys, so who holds all of those holds it.
bool holds(const std::vector<std::string>& permission_keys, std::string_view key);

// A key that a tenant has made up, such as `treasurer`: it implies nothing, and no route asks for it.
bool is_custom_key(std::string_view key);

}  // namespace guildhall
