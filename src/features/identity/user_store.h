#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"
#include "storage/database.h"

namespace guildhall {

struct User {
  UserId id;
  TenantId tenant_id;
  std::string username;
  std::string display_name;
  std::optional<std::string> email;
  std::optional<std::string> avatar_url;
  std::optional<std::string> chat_id;
  std::vector<std::string> roles;
  bool is_admin = false;
  std::optional<std::string> customer_id;
  std::optional<std::string> primary_customer_id;
  Hidden<std::optional<std::string>> password_hash;
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(User, (),
                      (id, tenant_id, username, display_name, email, avatar_url, chat_id, roles, is_admin, customer_id,
                       primary_customer_id, password_hash, created_at, updated_at, version))

Select<User> user_by_username(const TenantId& tenant, const std::string& username);

// Returns the tenant's user of that name, made by this call if there was none.
User find_or_create_user(Tx& tx, const TenantId& tenant, const std::string& username, Instant now);

void add_grant(Tx& tx, const TenantId& tenant, const UserId& user, std::string_view key, Instant now);

// What the user holds in the tenant, and PlatformAdmin, which is granted in the home tenant and holds everywhere.
Select<std::string> grants_of(const TenantId& tenant, const UserId& user, const TenantId& home_tenant);

}  // namespace guildhall
