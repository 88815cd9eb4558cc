#pragma once

#include "base/actor.h"
#include "base/function_ref.h"
#include "features/entitlements/entitlement.h"
#include "features/orders/order.h"
#include "outbox/events.h"
#include "storage/database.h"

// What can be done with entitlements, inside the caller's transaction. Each tells entitlement.granted or
// entitlement.revoked, and has the outbox bring the chat server to what the records now say (chat_roles.h).
namespace guildhall {

constexpr std::string_view chat_role_topic = "chat.role";

Entitlement create_entitlement(const ActionContext& context, const NewEntitlement& input);

// Reads, lets `edit` change the record (or throw), and writes it back. Throws not_found.
Entitlement change_entitlement(const ActionContext& context, const EntitlementId& id,
                               FunctionRef<void(Entitlement&)> edit);

// A role that nothing else entitles to is taken away. `precondition` may throw. Throws not_found.
void delete_entitlement(const ActionContext& context, const EntitlementId& id,
                        FunctionRef<void(const Entitlement&)> precondition);

// For an order that became paid: each role that its products grant, and each digital product, once.
void grant_for_order(const ActionContext& context, const Order& order);
void revoke_for_order(const ActionContext& context, const OrderId& order);

// Writes a record that was changed, and all that follows. `before` as it was read.
void settle_entitlement(const ActionContext& context, const Entitlement& before, Entitlement& after);

// Has the member's role brought to what the records say.
void queue_role(Tx& tx, const TenantId& tenant, const MemberRole& role, Instant now);

// Grants for OrderPaid; revokes for OrderRefunded and OrderCancelled.
void subscribe_entitlements(Events& events);

}  // namespace guildhall
