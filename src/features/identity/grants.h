#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "storage/database.h"

// All SQL of grants: what a user may do in a tenant. The user may belong to another tenant.
namespace guildhall {

struct Grant {
  TenantId tenant;
  std::string key;
};

// False if the user holds it already.
bool add_grant(Tx& tx, const TenantId& tenant, const UserId& user, std::string_view key, Instant now);
void remove_grant(Tx& tx, const TenantId& tenant, const UserId& user, std::string_view key);
void remove_all_grants(Tx& tx, const UserId& user);
void remove_tenants_grants(Tx& tx, const TenantId& tenant);

// Makes the user TenantAdmin if the tenant has no grant at all; returns whether it did. Of several at once, one wins.
bool grant_first_admin(Tx& tx, const TenantId& tenant, const UserId& user, Instant now);

// What the user holds in the tenant, and PlatformAdmin, which counts only in the home tenant but holds everywhere.
Select<std::string> grants_of(const TenantId& tenant, const UserId& user, const TenantId& home_tenant);

// The grants' rows in just that tenant, sorted.
Select<std::string> granted_in(const TenantId& tenant, const UserId& user);

// Every grant of the user, in whatever tenant.
Select<Grant> grants_everywhere(const UserId& user);

Select<UserId> users_with_grants(const TenantId& tenant);

// Changes of a tenant's grants wait for each other here until they commit, so that each sees what the other did:
// without this, two admins could remove each other.
void lock_grants(Tx& tx, const TenantId& tenant);

// With the tenant's grants locked: whether somebody besides the user is TenantAdmin.
bool has_another_admin(Tx& tx, const TenantId& tenant, const UserId& user);

}  // namespace guildhall
