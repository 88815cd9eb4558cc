#pragma once

#include "api/list.h"
#include "features/discounts/discount.h"
#include "storage/database.h"
#include "storage/metadata_index.h"

// All SQL of discounts. Every function takes the tenant.
namespace guildhall {

Select<Discount> discount_by_id(const TenantId& tenant, const DiscountId& id);

// Codes are compared without case.
Select<Discount> discount_by_code(const TenantId& tenant, std::string_view code);

// Also finds a deleted discount, for orders that use it already.
Select<Discount> discount_terms(const TenantId& tenant, const DiscountId& id);

struct DiscountQuery : api::ListParams {
  Search<"code_key", "A part of the code, in any case."> search;
  OneOf<DiscountType, "Discounts of one of these types."> type;
  // The column is JSON that the program itself has written; the _ stands for its colon.
  Whether<"lifecycle LIKE '{\"isActive\"_true,%'", "Discounts that are switched on, or those that are not."> is_active;
  From<Instant, "created_at", "Created at this time or later."> created_from;
  To<Instant, "created_at", "Created at this time or earlier."> created_to;
  HasMetadata<"discounts"> metadata;
  SortBy<"createdAt"> sort;
};
BOOST_DESCRIBE_STRUCT(DiscountQuery, (api::ListParams),
                      (search, type, is_active, created_from, created_to, metadata, sort))

const Listing& discount_listing();

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
