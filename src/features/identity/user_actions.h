#pragma once

#include "api/call.h"
#include "base/function_ref.h"
#include "features/identity/auth.h"
#include "features/identity/user.h"

// What can be done with users, inside the caller's transaction. Each throws not_found for a user of another tenant, and
// all but create_user throw forbidden if the user holds more than the caller.
namespace guildhall {

// Throws username_taken, also for the default admin's name.
User create_user(Tx& tx, const api::Call& call, const NewUser& input, const std::string& admin_username);

User change_user(Tx& tx, const api::Call& call, const UserId& id, FunctionRef<void(User&)> edit);

// With all identities and grants. Throws conflict for the last TenantAdmin of a tenant.
void remove_user(Tx& tx, const api::Call& call, const UserId& id);

// Ends all sessions of the user, too.
void set_password(Tx& tx, const api::Call& call, const UserId& id, const std::string& hash);

void end_sessions(Tx& tx, const api::Call& call, const UserId& id);

}  // namespace guildhall
