#pragma once

#include <string>
#include <vector>

#include "base/declared.h"
#include "features/tenancy/tenant.h"
#include "storage/database.h"

// All SQL of grants. A grant gives a user a permission key in a tenant; the user may belong to another tenant. Since
// ids are unique only within a tenant, a grant also stores the user's tenant.
namespace guildhall {

struct Grant {
  TenantId tenant;
  std::string key;
};

// Grants a key to the tenant's user with that id, or else to the user with that id in another tenant. Returns false if
// the user holds it already.
bool add_grant(Tx& tx, const TenantId& tenant, const UserId& user, std::string_view key, Instant now);
void remove_grant(Tx& tx, const TenantId& tenant, const UserId& user, std::string_view key);
void remove_all_grants(Tx& tx, const TenantId& user_tenant, const UserId& user);
void remove_tenants_grants(Tx& tx, const TenantId& tenant);

// Makes the user TenantAdmin if the tenant has no grant at all, and returns whether it did. Of concurrent calls one
// succeeds.
bool grant_first_admin(Tx& tx, const TenantId& tenant, const UserId& user, Instant now);

// The user's keys in the tenant, and PlatformAdmin, which is granted in the home tenant and is valid in all tenants.
// Instead of a role (role.h), the keys of the role. In no order; a key can occur twice.
Select<std::string> grants_of(const TenantId& tenant, const TenantId& user_tenant, const UserId& user,
                              const TenantId& home_tenant);

// The keys that are granted in that tenant itself, sorted.
std::vector<std::string> granted_in(Tx& tx, const TenantId& tenant, const UserId& user);

// The tenant of the user's record, for a user with that id who holds a grant in this tenant.
Select<TenantId> tenant_of_holder(const TenantId& tenant, const UserId& user);

// All grants of the user, in all tenants. Instead of a role (role.h), the keys of the role.
Select<Grant> grants_everywhere(const TenantId& user_tenant, const UserId& user);

// The tenants in which the user holds a grant, ordered by name. Deleted tenants are left out.
Select<Tenant> tenants_with_grants(const TenantId& user_tenant, const UserId& user, std::int64_t limit);

// The tenants whose TenantAdmin is a user with that identity at the chat platform, in no order. Deleted tenants are
// left out.
Select<Tenant> tenants_administered_by(std::string_view provider, const std::string& provider_user_id,
                                       std::int64_t limit);

// How many shops the person of an identity owns or has given up that were opened after `since`.
Select<std::int64_t> number_of_shops_opened(std::string_view provider, const std::string& provider_user_id,
                                            Instant since);

struct GrantHolder {
  UserId user_id;
  std::optional<std::string> display_name;  // null: there is no such user
  std::vector<std::string> keys;            // as granted, without implied keys; sorted
};
BOOST_DESCRIBE_STRUCT(GrantHolder, (), (user_id, display_name, keys))

// A page of the users who hold a grant in the tenant, ordered by id, after that user. `limit` counts users.
std::vector<GrantHolder> grant_holders_after(Tx& tx, const TenantId& tenant, const std::string& user,
                                             std::int64_t limit);

Select<UserId> users_with_grants(const TenantId& tenant);

// Locks the tenant's grants until the commit, so that changes run one after the other. Without the lock, two admins
// could remove each other.
void lock_grants(Tx& tx, const TenantId& tenant);

// Whether another user is TenantAdmin. The tenant's grants must be locked.
bool has_another_admin(Tx& tx, const TenantId& tenant, const UserId& user);

}  // namespace guildhall
