#pragma once

#include "features/catalog/product.h"
#include "features/entitlements/entitlement_store.h"
#include "features/orders/order.h"
#include "features/records.h"

// The actions on entitlements. Each runs in the caller's transaction, emits EntitlementGranted or EntitlementRevoked,
// and queues an update of the role on the chat server (chat_roles.h).
namespace guildhall {

constexpr std::string_view chat_role_topic = "chat.role";

inline constexpr Records<Entitlement> entitlement_records{.name = "Entitlement",
                                                          .subject = "entitlement",
                                                          .by_id = entitlement_by_id,
                                                          .update = update_entitlement,
                                                          .remove = erase_entitlement};

Entitlement create_entitlement(const ActionContext& context, const NewEntitlement& input);

// Reads, lets `edit` change the record (or throw), and writes it back. Throws not_found.
Entitlement change_entitlement(const ActionContext& context, const EntitlementId& id,
                               FunctionRef<void(Entitlement&)> edit);

// The role is removed unless another entitlement grants it, too. `precondition` may throw. Throws not_found.
void delete_entitlement(const ActionContext& context, const EntitlementId& id,
                        FunctionRef<void(const Entitlement&)> precondition);

// The receiver of the roles and items of an order: the member whom it names as the receiver of a gift, else the buyer.
struct Holder {
  HolderId id;
  std::optional<CustomerId> customer;
  std::optional<std::string> chat_user;
};
Holder holder_of(const ActionContext& context, const Order& order);

// The same for a member of the chat server.
Holder holder_of(const ActionContext& context, const std::string& chat_user);

// A paid order contains a product that is a membership. The subscriber grants it for the time that was paid.
struct MembershipPaid {
  static constexpr std::string_view name = "membership.paid";
  const Order& order;
  const Product& product;
  const Holder& holder;
};

// An entitlement was deleted by hand.
struct EntitlementDeleted {
  static constexpr std::string_view name = "entitlement.deleted";
  const Entitlement& entitlement;
};

// A digital item of a product that delivers something was created. The subscriber gives the buyer what belongs to it,
// and grants it or says why it waits.
struct ItemDue {
  static constexpr std::string_view name = "entitlement.item_due";
  const Product& product;
  const Entitlement& item;
  std::int64_t units = 1;
  std::int64_t reserved = 0;  // keys that the order held
};

// Creates an entitlement for each role that the products of a paid order grant, and for each digital product, once.
// Emits MembershipPaid instead for products that are memberships.
void grant_for_order(const ActionContext& context, const Order& order);
void revoke_for_order(const ActionContext& context, const OrderId& order);

// The roles and items that a membership gives its holder.
struct MembershipGrant {
  const MembershipId& membership;
  const Product& product;  // the present plan
  const Holder& holder;
  const OrderId& order;  // the order, or else the trial or code, that paid last
  Instant expires_at;
};

// Sets the end of the membership's entitlements. Creates those that are missing or were revoked, tries those that have
// failed again, and revokes those of another plan.
void grant_membership(const ActionContext& context, const MembershipGrant& grant);

// Sets the end of the membership's entitlements and grants nothing.
void set_membership_end(const ActionContext& context, const MembershipId& membership, Instant expires_at);

// Revokes the membership's entitlements. Roles are removed at `due`.
void revoke_membership(const ActionContext& context, const MembershipId& membership, RevocationReason reason,
                       Instant due);

// Writes a changed entitlement and its audit entry, and emits the event. `before` is the record as it was read.
void settle_entitlement(const ActionContext& context, const Entitlement& before, Entitlement& after);

// Queues an update of the member's role on the chat server, now or at `due`.
void queue_role(Tx& tx, const TenantId& tenant, const MemberRole& role, Instant now,
                std::optional<Instant> due = std::nullopt);

// Grants for OrderPaid; revokes for OrderRefunded and OrderCancelled.
void subscribe_entitlements(Events& events);

}  // namespace guildhall
