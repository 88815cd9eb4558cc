#pragma once

#include "base/function_ref.h"
#include "features/tenancy/tenant.h"
#include "outbox/events.h"

// Actions on tenants, inside the caller's transaction. Here and not in tenancy, because a tenant starts
// with a grant and ends with its grants.
namespace guildhall {

struct TenantCreated {
  static constexpr std::string_view name = "tenant.created";
  const Tenant& tenant;
};

// Emitted before the deletion is committed: a subscriber whose records forbid it throws.
struct TenantDeleted {
  static constexpr std::string_view name = "tenant.deleted";
  const Tenant& tenant;
};

// Creates a tenant, with TenantAdmin for its owner, whose sessions the caller rechecks after the commit. The context's
// tenant is the home tenant, in which PlatformAdmin is granted. Emits TenantCreated in the new tenant. Throws
// bad_request TENANT_ID_TAKEN, also for the id of a deleted tenant.
Tenant create_tenant(const ActionContext& context, const NewTenant& input);

// Reads the context's tenant, calls `edit` to change it, and writes it back. `edit` may throw. Throws not_found.
Tenant change_tenant(const ActionContext& context, FunctionRef<void(Tenant&)> edit);

struct RemovedTenant {
  std::vector<UserId> members;  // the users who held a grant there
};

// Ends all access to the context's tenant; its records are kept. Emits TenantDeleted. `check` sees the record as it was
// and may throw. Throws not_found.
RemovedTenant remove_tenant(const ActionContext& context, FunctionRef<void(const Tenant&)> check);

struct GivenUpShop {
  RemovedTenant removed;
  std::optional<Tenant> into;  // the shop that has its chat servers now
  std::int64_t servers = 0;    // the number of these chat servers
};

// Ends the context's tenant, an empty shop that was made by mistake. With a binding code, the chat servers go to the
// shop that has made the code, and the code is used up. Throws conflict SHOP_NOT_EMPTY and DEFAULT_TENANT, bad_request
// BINDING_CODE_INVALID, and not_found.
GivenUpShop give_up_shop(const ActionContext& context, const TenantId& home_tenant,
                         const std::optional<std::string>& binding_code);

}  // namespace guildhall
