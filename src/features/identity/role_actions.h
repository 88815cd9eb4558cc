#pragma once

#include "base/function_ref.h"
#include "features/identity/grant_actions.h"
#include "features/identity/role.h"

// Actions on the roles of the context's tenant. A change of a role is a change of the grants of
// all of its holders, so the same rules apply: the caller must be able to give every key that the role has or gets, and
// must have the rank to change the grants of each holder. Callers who hold the role themselves need to hold its keys,
// so that nobody extends their own grants. Passwords that were set by somebody of lower rank are cleared.
namespace guildhall {

// Throws bad_request ROLE_TAKEN or TOO_MANY_ROLES, and conflict KEY_IN_USE if somebody holds a custom key of that name.
CustomRole create_role(const ActionContext& context, const Granting& granting, const NewCustomRole& input);

struct ChangedRole {
  CustomRole role;
  std::vector<KeyHolder> holders;  // whose sessions must be rechecked after the commit
};

// Throws not_found.
ChangedRole change_role(const ActionContext& context, const Granting& granting, const std::string& name,
                        FunctionRef<void(CustomRole&)> edit);

// Throws not_found, and conflict ROLE_IN_USE if somebody holds the role.
void remove_role(const ActionContext& context, const Granting& granting, const std::string& name,
                 FunctionRef<void(const CustomRole&)> check);

}  // namespace guildhall
