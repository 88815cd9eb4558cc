#pragma once

#include "api/list.h"
#include "base/job_failures.h"
#include "features/identity/user.h"
#include "features/tenancy/tenant.h"
#include "storage/storage.h"

// All SQL of users and their identities. Every function takes the tenant.
namespace guildhall {

Select<User> user_by_id(const TenantId& tenant, const UserId& id);

// Usernames are compared without case. Old users can have names that differ only in case: then the one with exactly
// that name is found, or else the oldest.
Select<User> user_by_username(const TenantId& tenant, const std::string& username);

// Sets the username_key of users from before usernames were compared without case. Called when the program starts.
void fill_username_keys(Storage& storage);

Select<User> user_by_identity(const TenantId& tenant, std::string_view provider, const std::string& provider_user_id);

// The tenant where somebody with that identity was registered last. Deleted tenants are left out.
Select<Tenant> tenant_of_identity(std::string_view provider, const std::string& provider_user_id);

// Finds a user of any tenant; for PlatformAdmins only.
Select<User> user_anywhere(const UserId& id);

struct UserQuery : api::ListParams {
  Search<"search_text", "A part of the username, display name, email or chat id, in any case."> search;
  Is<bool, "Users who are described as admins, or those who are not. Grants decide, not this."> is_admin;
  Is<std::string, "The user with this chat id."> chat_id;
  Is<std::string, "The users with this customer."> customer_id;
  From<Instant, "created_at", "Created at this time or later."> created_from;
  To<Instant, "created_at", "Created at this time or earlier."> created_to;
  SortBy<"createdAt", "username"> sort;
};
BOOST_DESCRIBE_STRUCT(UserQuery, (api::ListParams),
                      (search, is_admin, chat_id, customer_id, created_from, created_to, sort))

const Listing& user_listing();

// Fills the search text of some users from before there was one. Returns their number.
std::int64_t fill_user_search(Tx& tx, const JobFailures& failures);

// Returns false if the tenant already has a user with that name.
bool insert_user(Tx& tx, const User& user);

// Updates the record and increments its version. Throws WriteRace if it was changed since it was read, and
// username_taken.
void update_user(Tx& tx, User& user);

// Locks the user until the commit, so that changes of the user and of the user's grants run one after the other. Lock
// the user before a tenant's grants.
void lock_user(Tx& tx, const TenantId& tenant, const UserId& id);

// Deletes the user with the identities, the second factor, the link that resets the password and the settings of
// alerts. Throws WriteRace if the record was changed since it was read.
void delete_user(Tx& tx, const User& user);

// Returns false if another user has that identity.
bool insert_identity(Tx& tx, const TenantId& tenant, std::string_view provider, const std::string& provider_user_id,
                     const UserId& user, Instant now);

}  // namespace guildhall
