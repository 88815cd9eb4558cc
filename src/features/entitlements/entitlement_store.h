#pragma once

#include "api/list.h"
#include "features/entitlements/entitlement.h"
#include "storage/database.h"

// All SQL of entitlements.
namespace guildhall {

Select<Entitlement> entitlement_by_id(const TenantId& tenant, const EntitlementId& id);

struct EntitlementQuery : api::ListParams {
  OneOf<EntitlementStatus, "Entitlements in one of these statuses."> status;
  OneOf<EntitlementType, "Entitlements of one of these types."> type;
  Is<HolderId, "The entitlements of this user."> user_id;
  Is<CustomerId, "The entitlements of this customer."> customer_id;
  Is<OrderId, "The entitlements that come from this order."> order_id;
  Is<ProductId, "The entitlements to this product."> product_id;
  Is<std::string, "The entitlements of this member of the chat server."> chat_user_id;
  Is<std::string, "The entitlements to this role."> role_id;
  Is<MembershipId, "The entitlements of this membership."> membership_id;
  From<Instant, "created_at", "Created at this time or later."> created_from;
  To<Instant, "created_at", "Created at this time or earlier."> created_to;
  SortBy<"createdAt"> sort;
};
BOOST_DESCRIBE_STRUCT(EntitlementQuery, (api::ListParams),
                      (status, type, user_id, customer_id, order_id, product_id, chat_user_id, role_id, membership_id,
                       created_from, created_to, sort))

const Listing& entitlement_listing();

Select<Entitlement> entitlements_of_order(const TenantId& tenant, const OrderId& order);

// Digital items of a product that could not be granted yet, the oldest first.
Select<Entitlement> waiting_items(const TenantId& tenant, const ProductId& product, std::int64_t limit);

// Digital items that a member of the chat server has, the newest first.
Select<Entitlement> items_of_member(const TenantId& tenant, const std::string& chat_user_id, std::int64_t limit);

Select<Entitlement> entitlements_of_membership(const TenantId& tenant, const MembershipId& membership);

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
