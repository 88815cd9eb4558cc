#pragma once

#include <string>

#include "base/ids.h"
#include "storage/database.h"

// What other slices read and change of the tenants' rows.
namespace guildhall {

// The tenant with the next id, also a deleted one.
Select<TenantId> next_tenant(const TenantId& after);

// Locks the tenant's row until the commit.
void lock_tenant(Tx& tx, const TenantId& tenant);

// Sets the name, without a new version.
void rename_tenant(Tx& tx, const TenantId& tenant, const std::string& name);

}  // namespace guildhall
