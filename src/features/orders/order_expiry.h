#pragma once

#include "features/orders/order_actions.h"

// Unpaid orders that have outlived their tenant's patience are cancelled, and give back what they hold.
namespace guildhall {

// A tenant whose unpaid orders expire.
struct ExpiryRule {
  TenantId tenant;
  std::int64_t minutes = 0;
};

// Tenants after the given one, in the order of their ids. Those without a choice of their own have the default; 0
// minutes: never.
Select<ExpiryRule> expiry_rules(const TenantId& after, std::int64_t default_minutes, std::int64_t limit);

// Unpaid orders created at the cutoff or before, oldest first.
Select<OrderId> unpaid_orders(const TenantId& tenant, Instant cutoff, std::int64_t limit);

// Cancels the order if nobody has paid or cancelled it in the meantime; says whether it did.
bool expire_order(Tx& tx, const Events& events, const TenantId& tenant, const OrderId& id, Instant now);

}  // namespace guildhall
