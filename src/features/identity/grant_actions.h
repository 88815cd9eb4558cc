#pragma once

#include <string>
#include <vector>

#include "api/call.h"
#include "base/actor.h"
#include "base/declared.h"
#include "storage/database.h"

// Who may give what to whom, inside the caller's transaction.
namespace guildhall {

struct UserGrants {
  UserId user_id;
  std::vector<std::string> keys;  // as granted, without what they imply; sorted
};
BOOST_DESCRIBE_STRUCT(UserGrants, (), (user_id, keys))

// Who grants, and where.
struct Granting {
  const api::Caller& caller;
  const TenantId& tenant;
  const TenantId& home_tenant;
  Actor actor;
};

// A key is 1 to 64 characters of A-Z a-z 0-9 . _ -, so that a tenant can have roles of its own beside the known ones.
bool is_permission_key(std::string_view text);

// Throws not_found for a user of another tenant who holds nothing in this one, unless a PlatformAdmin asks.
UserGrants find_grants(Tx& tx, const Granting& granting, const UserId& user);

// Replaces what the user holds in the tenant. Throws forbidden if the user holds a key that the caller does not, or is
// to be given one, and conflict for the last TenantAdmin's.
UserGrants set_grants(Tx& tx, const Granting& granting, const UserId& user, std::vector<std::string> keys, Instant now);

// Locks what it looks at until the commit. Throws conflict if the user is the only TenantAdmin of any tenant.
void require_not_last_admin(Tx& tx, const TenantId& user_tenant, const UserId& user);

}  // namespace guildhall
