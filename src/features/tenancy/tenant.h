#pragma once

#include <string>
#include <vector>

#include "base/declared.h"
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

Select<Tenant> tenant_by_id(const TenantId& tenant);

// An empty database gets its first tenant; one that has any tenant is left alone. Returns whether it was made.
bool ensure_default_tenant(Tx& tx, const TenantId& tenant, Instant now);

}  // namespace guildhall
