#pragma once

#include "base/actor.h"
#include "base/function_ref.h"
#include "features/entitlements/entitlement.h"
#include "features/orders/order.h"
#include "outbox/events.h"
#include "storage/database.h"

// The actions on entitlements. Each runs in the caller's transaction, emits EntitlementGranted or EntitlementRevoked,
// and queues an update of the role on the chat server (chat_roles.h).
namespace guildhall {

constexpr std::string_view chat_role_topic = "chat.role";

Entitlement create_entitlement(const ActionContext& context, const NewEntitlement& input);

// Reads, lets `edit` change the record (or throw), and writes it back. Throws not_found.
Entitlement change_entitlement(const ActionContext& context, const EntitlementId& id,
                               FunctionRef<void(Entitlement&)> edit);

// The role is removed unless another entitlement grants it, too. `precondition` may throw. Throws not_found.
void delete_entitlement(const ActionContext& context, const EntitlementId& id,
                        FunctionRef<void(const Entitlement&)> precondition);

// Creates an entitlement for each role that the products of a paid order grant, and for each digital product, once.
void grant_for_order(const ActionContext& context, const Order& order);
void revoke_for_order(const ActionContext& context, const OrderId& order);

// Writes a changed entitlement and its audit entry, and emits the event. `before` is the record as it was read.
void settle_entitlement(const ActionContext& context, const Entitlement& before, Entitlement& after);

// Queues an update of the member's role on the chat server.
void queue_role(Tx& tx, const TenantId& tenant, const MemberRole& role, Instant now);

// Grants for OrderPaid; revokes for OrderRefunded and OrderCancelled.
void subscribe_entitlements(Events& events);

}  // namespace guildhall
