#pragma once

#include <string>
#include <vector>

#include "api/call.h"
#include "base/declared.h"
#include "outbox/events.h"

// Actions on grants, with the rules for who may change them, inside the caller's transaction.
namespace guildhall {

struct UserGrants {
  UserId user_id;
  std::vector<std::string> keys;  // as granted, without implied keys; sorted
};
BOOST_DESCRIBE_STRUCT(UserGrants, (), (user_id, keys))

// A hash of the keys, because grants are rows of their own without a counter. It has 48 bits, so that JavaScript can
// read it.
std::int64_t version_of(const UserGrants& grants);

// The caller who changes grants.
struct Granting {
  const api::Caller& caller;
  const TenantId& home_tenant;  // the tenant in which PlatformAdmin is granted
};

// A key is 1 to 64 characters of A-Z a-z 0-9 . _ -, so that a tenant can define roles of its own.
bool is_permission_key(std::string_view text);

// Throws not_found for a user of another tenant without grants in this one, unless the caller is a PlatformAdmin.
UserGrants find_grants(Tx& tx, const TenantId& tenant, const api::Caller& caller, const UserId& user);

// Replaces the user's grants in the context's tenant. Throws forbidden if the user holds, or is to get, a key that the
// caller does not hold, and conflict if the last TenantAdmin would lose that role. `check` is called with the present
// grants, which are locked, and may throw.
UserGrants set_grants(const ActionContext& context, const Granting& granting, const UserId& user,
                      std::vector<std::string> keys, FunctionRef<void(const UserGrants&)> check);

// Throws conflict if the user is the only TenantAdmin of any tenant. Locks the rows that it reads until the commit.
void require_not_last_admin(Tx& tx, const TenantId& user_tenant, const UserId& user);

}  // namespace guildhall
