#pragma once

#include "features/memberships/membership_actions.h"
#include "features/memberships/membership_code.h"

// Actions on codes, inside the caller's transaction.
namespace guildhall {

// Stores the codes, whose number the caller has checked. Throws Failure invalid if the product is no membership.
void create_codes(const ActionContext& context, const NewMembershipCodes& input, const std::vector<std::string>& codes);

// Gives the holder what the code stands for. Of concurrent calls one succeeds. Throws CODE_INVALID.
Membership redeem_code(const ActionContext& context, std::string_view code, const Holder& holder);

// The code can no longer be redeemed. `precondition` may throw. Throws not_found, CODE_REDEEMED.
void withdraw_code(const ActionContext& context, const MembershipCodeId& id,
                   FunctionRef<void(const MembershipCode&)> precondition);

}  // namespace guildhall
