#pragma once

#include "app/ops/transfer/refusals.h"

namespace guildhall {

// Adds what the imported rows claim of other tenants, and where they exceed the limits of a tenant. Called in the
// transaction that has written the rows.
void check_imported(Tx& tx, const TenantId& tenant, Refusals& refusals);

// Computes the rows that were not imported because they follow from others.
void complete_imported(Tx& tx, const TenantId& tenant);

}  // namespace guildhall
