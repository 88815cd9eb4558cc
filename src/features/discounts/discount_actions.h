#pragma once

#include "base/actor.h"
#include "base/function_ref.h"
#include "features/discounts/discount.h"
#include "storage/database.h"

// What can be done with discounts, inside the caller's transaction.
namespace guildhall {

// Throws DISCOUNT_CODE_TAKEN.
Discount create_discount(Tx& tx, const TenantId& tenant, const Actor& actor, const NewDiscount& input, Instant now);

// Reads, lets `edit` change the record (or throw), and writes it back. Throws not_found, DISCOUNT_CODE_TAKEN.
Discount change_discount(Tx& tx, const TenantId& tenant, const Actor& actor, const DiscountId& id, Instant now,
                         FunctionRef<void(Discount&)> edit);

// Hides the discount and frees its code; orders that have it keep its terms. `precondition` may throw. Throws
// not_found.
void delete_discount(Tx& tx, const TenantId& tenant, const Actor& actor, const DiscountId& id, Instant now,
                     FunctionRef<void(const Discount&)> precondition);

}  // namespace guildhall
