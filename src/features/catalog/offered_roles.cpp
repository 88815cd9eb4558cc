#include "features/catalog/offered_roles.h"

#include <set>

#include "storage/columns.h"

namespace guildhall {

static const Sql offered_roles_sql(
    "SELECT granted_role_ids FROM products WHERE tenant_id = $1 AND granted_role_ids <> '[]'");

void require_offered_roles(Tx& tx, const api::Caller& caller, const TenantId& tenant,
                           std::span<const std::string> roles) {
  if (roles.empty() || caller.may("admin.access")) return;
  std::set<std::string> missing(roles.begin(), roles.end());
  tx.run({&offered_roles_sql, params(tenant)}, [&](const Row& row) {
    for (const std::string& role : Column<std::vector<std::string>>::read(row, 0)) missing.erase(role);
  });
  if (missing.empty()) return;
  throw forbidden("ROLE_NOT_OFFERED", "Only an admin can give a role that no product of the shop grants.");
}

}  // namespace guildhall
