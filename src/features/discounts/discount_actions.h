#pragma once

#include "base/function_ref.h"
#include "features/discounts/discount.h"
#include "outbox/events.h"

// Actions on discounts, inside the caller's transaction.
namespace guildhall {

// Throws DISCOUNT_CODE_TAKEN.
Discount create_discount(const ActionContext& context, const NewDiscount& input);

// Reads the discount, calls `edit` to change it, and writes it back. `edit` may throw. Throws not_found,
// DISCOUNT_CODE_TAKEN.
Discount change_discount(const ActionContext& context, const DiscountId& id, FunctionRef<void(Discount&)> edit);

// Marks the discount as deleted, so that its code can be used again. Orders with the discount keep its terms.
// `precondition` may throw. Throws not_found.
void delete_discount(const ActionContext& context, const DiscountId& id,
                     FunctionRef<void(const Discount&)> precondition);

}  // namespace guildhall
