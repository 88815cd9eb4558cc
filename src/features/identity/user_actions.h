#pragma once

#include "api/call.h"
#include "base/function_ref.h"
#include "features/identity/user.h"
#include "outbox/events.h"

// Actions on users, inside the caller's transaction. Each throws not_found for a user of another tenant, and all but
// create_user throw forbidden if the user holds a key that the caller does not.
namespace guildhall {

// A user was deleted: what other slices keep of the user goes, too.
struct UserDeleted {
  static constexpr std::string_view name = "user.deleted";
  const User& user;
};

// Returns the caller's user record. It is in the call's tenant, or in another one if the user holds a grant here or is
// a PlatformAdmin. Throws not_found.
User user_of_caller(Tx& tx, const api::Call& call, const TenantId& home_tenant);

// Throws username_taken, also for the default admin's name.
User create_user(const ActionContext& context, const NewUser& input, const std::string& admin_username);

// Returns the user and locks the record until the commit.
User require_changeable_user(const ActionContext& context, const api::Caller& caller, const UserId& id);

User change_user(const ActionContext& context, const api::Caller& caller, const UserId& id,
                 FunctionRef<void(User&)> edit);

// Deletes the user with all identities and grants, and emits UserDeleted. `precondition` may throw. Throws conflict for
// the last TenantAdmin of a tenant.
void remove_user(const ActionContext& context, const api::Caller& caller, const UserId& id,
                 FunctionRef<void(const User&)> precondition);

// Also ends all sessions of the user.
void set_password(const ActionContext& context, const api::Caller& caller, const UserId& id, const std::string& hash);

void end_sessions(const ActionContext& context, const api::Caller& caller, const UserId& id);

}  // namespace guildhall
