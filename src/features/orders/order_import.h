#pragma once

#include "base/ids.h"
#include "storage/database.h"

namespace guildhall {

// Counts all orders of a tenant whose orders were just imported.
void count_imported_orders(Tx& tx, const TenantId& tenant);

}  // namespace guildhall
