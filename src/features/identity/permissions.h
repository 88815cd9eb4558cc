#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace guildhall {

constexpr std::string_view platform_admin = "PlatformAdmin";
constexpr std::string_view tenant_admin = "TenantAdmin";

// Roles are keys that imply others: these grants and all they imply, sorted, each once.
std::vector<std::string> with_implied(const std::vector<std::string>& grants);

}  // namespace guildhall
