#pragma once

#include "features/memberships/membership_actions.h"
#include "features/memberships/membership_code.h"

// Actions on codes, inside the caller's transaction.
namespace guildhall {

// Throws Failure invalid if the tenant has no such product, or if it is no membership.
void require_membership(Tx& tx, const TenantId& tenant, const ProductId& id);

// Throws Failure invalid if the product is no membership, and TOO_MANY_CODES if the tenant has no room for so many.
// Returns how often the tenant has opened codes, for open_codes().
std::int64_t require_possible_codes(Tx& tx, const CodeBatch& batch);

// Makes the codes of a batch, which are all stored and were possible, redeemable, with one audit entry. `batches` is
// the result of require_possible_codes(). Only if the tenant has opened other codes since then, the open codes are
// counted again: that delays other writers. Throws TOO_MANY_CODES.
void open_codes(const ActionContext& context, const CodeBatch& batch, std::int64_t batches);

// Gives the holder what the code stands for. Of concurrent calls one succeeds. Throws CODE_INVALID.
Membership redeem_code(const ActionContext& context, std::string_view code, const Holder& holder);

// The code can no longer be redeemed. `precondition` may throw. Throws not_found, CODE_REDEEMED.
void withdraw_code(const ActionContext& context, const MembershipCodeId& id,
                   FunctionRef<void(const MembershipCode&)> precondition);

}  // namespace guildhall
