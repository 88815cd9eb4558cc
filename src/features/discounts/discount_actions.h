#pragma once

#include "features/discounts/discount_store.h"
#include "features/records.h"

// Actions on discounts, inside the caller's transaction.
namespace guildhall {

inline constexpr Records<Discount> discount_records{.name = "Discount",
                                                    .subject = "discount",
                                                    .by_id = discount_by_id,
                                                    .update = update_discount,
                                                    .table = "discounts"};

// Throws DISCOUNT_CODE_TAKEN.
Discount create_discount(const ActionContext& context, const NewDiscount& input);

// Marks the discount as deleted, so that its code can be used again. Orders with the discount keep its terms.
// `precondition` may throw. Throws not_found.
void delete_discount(const ActionContext& context, const DiscountId& id,
                     FunctionRef<void(const Discount&)> precondition);

}  // namespace guildhall
