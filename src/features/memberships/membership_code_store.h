#pragma once

#include "api/list.h"
#include "features/memberships/membership_code.h"
#include "storage/database.h"

// All SQL of codes.
namespace guildhall {

Select<MembershipCode> code_by_id(const TenantId& tenant, const MembershipCodeId& id);
Select<MembershipCode> code_by_hash(const TenantId& tenant, const std::string& code_hash);

struct MembershipCodeQuery : api::ListParams {
  OneOf<CodeStatus, "Codes in one of these statuses."> status;
  Is<ProductId, "Codes for this product."> product_id;
  Is<CustomerId, "Codes that this customer has redeemed."> customer_id;
  SortBy<"createdAt"> sort;
};
BOOST_DESCRIBE_STRUCT(MembershipCodeQuery, (api::ListParams), (status, product_id, customer_id, sort))

const Listing& code_listing();

void insert_code(Tx& tx, const MembershipCode& code);

// Counts up to `limit` codes that are open, also those that have expired.
Select<std::int64_t> number_of_open_codes(const TenantId& tenant, std::int64_t limit);

// How often the tenant has opened codes. count_batch() adds one, returns the new number, and locks it until the commit.
Select<std::int64_t> opened_batches(const TenantId& tenant);
std::int64_t count_batch(Tx& tx, const TenantId& tenant);

// Open or delete the codes of a batch that has not been opened yet. Return their number.
std::int64_t open_batch(Tx& tx, const CodeBatch& batch);
std::int64_t delete_some_of_batch(Tx& tx, const CodeBatch& batch, std::int64_t rows_max);

// Throws WriteRace if it was changed since it was read.
void update_code(Tx& tx, MembershipCode& code);

}  // namespace guildhall
