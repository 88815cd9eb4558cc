#pragma once

#include "base/actor.h"
#include "base/function_ref.h"
#include "features/orders/order.h"
#include "outbox/events.h"
#include "storage/database.h"

// What can be done with orders, inside the caller's transaction: shared by the API, the bot, payments and shipping.
// Each takes and gives back stock and the discount's use, counts, audits, and tells what happened:
// order.created; order.paid when it becomes paid, by whatever way; order.shipped and shipment.shipped; order.cancelled;
// order.refunded.
namespace guildhall {

// Throws ORDER_NUMBER_TAKEN, OUT_OF_STOCK, DISCOUNT_…, AMOUNT_OUT_OF_RANGE.
Order place_order(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor, const NewOrder& input,
                  Instant now);

// `precondition` sees the order as it was, after the patch has been found to be valid, and may throw. A patch that
// changes nothing writes nothing. `parcel` is what shipment.shipped says if the change marks the order shipped; without
// it the order's own data. Throws as place_order, RECORD_TOO_LARGE, and not_found if the tenant has no such order: we
// never reveal that another tenant does.
Order change_order(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor, const OrderId& id,
                   const OrderPatch& patch, Instant now, FunctionRef<void(const Order&)> precondition,
                   const ShipmentPayload* shipment = nullptr);

// The same for a move alone. Moving to the status it has changes nothing. Throws not_found, INVALID_TRANSITION.
Order move_order(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor, const OrderId& id,
                 OrderStatus to, Instant now);

// Hides the order; its number becomes free. An unpaid one gives back its stock and its discount's use. Throws
// not_found.
void delete_order(Tx& tx, const TenantId& tenant, const Actor& actor, const OrderId& id, Instant now,
                  FunctionRef<void(const Order&)> precondition);

}  // namespace guildhall
