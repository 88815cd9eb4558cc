#pragma once

#include "api/page.h"
#include "features/discounts/discount.h"
#include "storage/database.h"

// All SQL of discounts. Every function takes the tenant.
namespace guildhall {

Select<Discount> discount_by_id(const TenantId& tenant, const DiscountId& id);

// Codes are compared without case.
Select<Discount> discount_by_code(const TenantId& tenant, std::string_view code);

// Also finds a deleted discount, for orders that use it already.
Select<Discount> discount_terms(const TenantId& tenant, const DiscountId& id);

// A page after the position, newest first.
Select<Discount> discounts_after(const TenantId& tenant, const Position& position, std::int64_t limit);

// Throws DISCOUNT_CODE_TAKEN.
void insert_discount(Tx& tx, const Discount& discount);

// Updates the record and increments its version. Throws WriteRace if it was changed or used since it was read, and
// DISCOUNT_CODE_TAKEN.
void update_discount(Tx& tx, Discount& discount);

// Counts one use. If the limit is reached, or the terms were changed since they were read, the transaction fails with
// WriteRace; when it runs again, it reads the new state. Call it late in the transaction, since many transactions wait
// for this row.
void count_use(Tx& tx, const Discount& discount);

void give_back_use(Tx& tx, const TenantId& tenant, const DiscountId& id);

}  // namespace guildhall
