#pragma once

#include "api/page.h"
#include "features/entitlements/entitlement.h"
#include "storage/database.h"

// All SQL of entitlements.
namespace guildhall {

Select<Entitlement> entitlement_by_id(const TenantId& tenant, const EntitlementId& id);

// Newest first, after the position.
Select<Entitlement> entitlements_after(const TenantId& tenant, const Position& position, std::int64_t limit);

Select<Entitlement> entitlements_of_order(const TenantId& tenant, const OrderId& order);

// All that speak of this role of this member, whatever their status.
Select<Entitlement> entitlements_of_role(const TenantId& tenant, const MemberRole& role);

// All roles of this member, whatever their status.
Select<Entitlement> entitlements_of_member(const TenantId& tenant, const std::string& chat_user_id);

// False if what it stands for has an entitlement already.
bool insert_entitlement(Tx& tx, const Entitlement& entitlement);

// Writes the record over the version it was read at, counting the version up. Throws WriteRace if it has changed.
void update_entitlement(Tx& tx, Entitlement& entitlement);

// Throws WriteRace if the record has changed since it was read.
void erase_entitlement(Tx& tx, const Entitlement& entitlement);

struct Member {
  TenantId tenant;
  std::string chat_user_id;

  auto operator<=>(const Member&) const = default;
};

// Members with entitlements to roles that were last compared with the chat platform before that; marks them compared
// now. Looks at up to `rows_max` entitlements, of one tenant or of all. Two nodes never take the same.
std::vector<Member> take_unchecked(Tx& tx, const std::optional<TenantId>& tenant, Instant before, Instant now,
                                   std::int64_t rows_max);

}  // namespace guildhall
