#pragma once

#include "features/memberships/membership_actions.h"
#include "features/memberships/membership_code.h"

// Actions on codes, inside the caller's transaction.
namespace guildhall {

// Throws Failure invalid if the tenant has no such product, or if it is no membership.
void require_membership(Tx& tx, const TenantId& tenant, const ProductId& id);

// Throws Failure invalid if the product is no membership, and TOO_MANY_CODES if the tenant has no room for so many.
void require_possible_codes(Tx& tx, const CodeBatch& batch);

// Makes the codes of a batch, which are all stored and were possible, redeemable, with one audit entry. It does not
// count the open codes again: that would delay other writers, and requests at the same time pass the limit by little.
void open_codes(const ActionContext& context, const CodeBatch& batch);

// Gives the holder what the code stands for. Of concurrent calls one succeeds. Throws CODE_INVALID.
Membership redeem_code(const ActionContext& context, std::string_view code, const Holder& holder);

// The code can no longer be redeemed. `precondition` may throw. Throws not_found, CODE_REDEEMED.
void withdraw_code(const ActionContext& context, const MembershipCodeId& id,
                   FunctionRef<void(const MembershipCode&)> precondition);

}  // namespace guildhall
