#pragma once

#include "api/page.h"
#include "features/discounts/discount.h"
#include "storage/database.h"

// All SQL of discounts. Nothing here can be asked without a tenant.
namespace guildhall {

Select<Discount> discount_by_id(const TenantId& tenant, const DiscountId& id);

// Compared without case.
Select<Discount> discount_by_code(const TenantId& tenant, std::string_view code);

// Deleted ones too: for orders that have it already.
Select<Discount> discount_terms(const TenantId& tenant, const DiscountId& id);

// Newest first, after the position.
Select<Discount> discounts_after(const TenantId& tenant, const Position& position, std::int64_t limit);

// Throws DISCOUNT_CODE_TAKEN.
void insert_discount(Tx& tx, const Discount& discount);

// Writes the record over the version it was read at, counting the version up. Throws WriteRace if it has changed or
// been used since, and DISCOUNT_CODE_TAKEN.
void update_discount(Tx& tx, Discount& discount);

// Counts one use of the terms that were read, and never more than the limit: otherwise the transaction fails with
// WriteRace, and sees when it runs again that the limit is reached or the terms have changed. A hot row: call it late.
void count_use(Tx& tx, const Discount& discount);

void give_back_use(Tx& tx, const TenantId& tenant, const DiscountId& id);

}  // namespace guildhall
