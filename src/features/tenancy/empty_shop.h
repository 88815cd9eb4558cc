#pragma once

#include "base/ids.h"
#include "storage/database.h"

namespace guildhall {

// Whether nothing was done in the shop yet: it has no product, discount, order, payment, parcel, membership, entry of
// the fund or webhook endpoint. Users and customers do not count, because the bot registers everybody who writes to it.
bool is_empty_shop(Tx& tx, const TenantId& tenant);

}  // namespace guildhall
