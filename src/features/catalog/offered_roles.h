#pragma once

#include <span>
#include <string>

#include "api/call.h"
#include "storage/database.h"

namespace guildhall {

// Admins decide which roles of the chat server a shop gives, by adding them to the `grantedRoleIds` of a product.
// Others may sell and give these roles, and no others: a role may be that of the server's moderators. Throws
// ROLE_NOT_OFFERED unless the caller has admin.access or products of the tenant grant all of the roles.
void require_offered_roles(Tx& tx, const api::Caller& caller, const TenantId& tenant,
                           std::span<const std::string> roles);

}  // namespace guildhall
