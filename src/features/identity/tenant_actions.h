#pragma once

#include "base/actor.h"
#include "base/function_ref.h"
#include "features/tenancy/tenant.h"
#include "outbox/events.h"

// What can be done with tenants, inside the caller's transaction. Here and not in tenancy, because a tenant starts
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

struct TenantCreation {
  const Events& events;
  const Actor& actor;
  const TenantId& home_tenant;  // where PlatformAdmin is granted
};

// With TenantAdmin for its owner, whose sessions the caller rechecks after the commit. Emits TenantCreated. Throws
// bad_request TENANT_ID_TAKEN, also for the id of a deleted tenant.
Tenant create_tenant(Tx& tx, const TenantCreation& creation, const NewTenant& input, Instant now);

Tenant change_tenant(Tx& tx, const Actor& actor, const TenantId& id, Instant now, FunctionRef<void(Tenant&)> edit);

struct RemovedTenant {
  std::vector<UserId> members;  // who held a grant there
};

// Ends all access to the context's tenant; its records are kept. Emits TenantDeleted. `check` sees the record as it was
// and may throw. Throws not_found.
RemovedTenant remove_tenant(const ActionContext& context, FunctionRef<void(const Tenant&)> check);

}  // namespace guildhall
