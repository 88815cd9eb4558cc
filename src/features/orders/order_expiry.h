#pragma once

#include "features/orders/order_actions.h"
#include "features/tenancy/tenant_settings.h"
#include "storage/position.h"

// Cancels orders that were not paid within the time that their tenant allows; they give back stock and discount uses.
namespace guildhall {

// Unpaid orders after the position that were created at the cutoff or before and need not be kept any longer, oldest
// first.
Select<Position> unpaid_orders(const TenantId& tenant, Instant cutoff, const Position& after, std::int64_t limit,
                               Instant now);

// Cancels the order unless it was paid, cancelled or deleted in the meantime. Returns whether it did.
// The actor is order_expiry_actor(), so that the timeline shows why it was cancelled.
bool expire_order(const ActionContext& context, const OrderId& id);

}  // namespace guildhall
