#pragma once

#include <string>
#include <vector>

#include "base/declared.h"
#include "storage/database.h"

// All SQL of grants: what a user may do in a tenant. The user may belong to another tenant. A grant names the user's
// tenant besides the user's id, and counts for that user only.
namespace guildhall {

struct Grant {
  TenantId tenant;
  std::string key;
};

// For the tenant's own user of that id, or else the user of that id in another tenant. False if the user holds it
// already.
bool add_grant(Tx& tx, const TenantId& tenant, const UserId& user, std::string_view key, Instant now);
void remove_grant(Tx& tx, const TenantId& tenant, const UserId& user, std::string_view key);
void remove_all_grants(Tx& tx, const TenantId& user_tenant, const UserId& user);
void remove_tenants_grants(Tx& tx, const TenantId& tenant);

// Makes the user TenantAdmin if the tenant has no grant at all; returns whether it did. Of several at once, one wins.
bool grant_first_admin(Tx& tx, const TenantId& tenant, const UserId& user, Instant now);

// What the user holds in the tenant, and PlatformAdmin, which counts only in the home tenant but holds everywhere.
Select<std::string> grants_of(const TenantId& tenant, const TenantId& user_tenant, const UserId& user,
                              const TenantId& home_tenant);

// The grants' rows in just that tenant, sorted.
std::vector<std::string> granted_in(Tx& tx, const TenantId& tenant, const UserId& user);

// The tenant of the user who holds a grant in this one under that id.
Select<TenantId> tenant_of_holder(const TenantId& tenant, const UserId& user);

// Every grant of the user, in whatever tenant.
Select<Grant> grants_everywhere(const TenantId& user_tenant, const UserId& user);

struct GrantHolder {
  UserId user_id;
  std::optional<std::string> display_name;  // null: nobody has that id
  std::vector<std::string> keys;            // as granted, without what they imply; sorted
};
BOOST_DESCRIBE_STRUCT(GrantHolder, (), (user_id, display_name, keys))

// Everybody who holds a grant in the tenant, ordered by id, after that user; `limit` counts users.
std::vector<GrantHolder> grant_holders_after(Tx& tx, const TenantId& tenant, const std::string& user,
                                             std::int64_t limit);

Select<UserId> users_with_grants(const TenantId& tenant);

// Changes of a tenant's grants wait for each other here until they commit, so that each sees what the other did:
// without this, two admins could remove each other.
void lock_grants(Tx& tx, const TenantId& tenant);

// With the tenant's grants locked: whether somebody besides the user is TenantAdmin.
bool has_another_admin(Tx& tx, const TenantId& tenant, const UserId& user);

}  // namespace guildhall
