#pragma once

#include "api/page.h"
#include "features/identity/user.h"
#include "features/tenancy/tenant.h"
#include "storage/storage.h"

// All SQL of users and their identities. Nothing here can be asked without a tenant.
namespace guildhall {

Select<User> user_by_id(const TenantId& tenant, const UserId& id);

// Compared without case. Of users from before that was the rule, whose names differ only in case, the one with exactly
// that name, else the oldest.
Select<User> user_by_username(const TenantId& tenant, const std::string& username);

// Gives users from before usernames were compared without case their username_key. Called when the program starts.
void fill_username_keys(Storage& storage);

Select<User> user_by_identity(const TenantId& tenant, std::string_view provider, const std::string& provider_user_id);

// The tenant where somebody with that identity was registered last. Deleted tenants are left out.
Select<Tenant> tenant_of_identity(std::string_view provider, const std::string& provider_user_id);

// Finds a user of any tenant; for PlatformAdmins only.
Select<User> user_anywhere(const UserId& id);

// Newest first, after the position.
Select<User> users_after(const TenantId& tenant, const Position& position, std::int64_t limit);

// False if the tenant has a user of that name already.
bool insert_user(Tx& tx, const User& user);

// Writes the record over the version it was read at, counting the version up. Throws WriteRace if it has changed, and
// username_taken.
void update_user(Tx& tx, User& user);

// Changes of a user and of their grants wait for each other here until they commit, so that each sees what the other
// did. Where both are locked, the user is locked before a tenant's grants.
void lock_user(Tx& tx, const TenantId& tenant, const UserId& id);

// Together with the user's identities. Throws WriteRace if it has changed since it was read.
void delete_user(Tx& tx, const User& user);

// False if somebody has that identity already.
bool insert_identity(Tx& tx, const TenantId& tenant, std::string_view provider, const std::string& provider_user_id,
                     const UserId& user, Instant now);

}  // namespace guildhall
