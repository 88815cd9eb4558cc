#pragma once

#include "base/actor.h"
#include "base/function_ref.h"
#include "features/orders/order.h"
#include "outbox/events.h"
#include "storage/database.h"

// The actions on orders, shared by the API, the bot, payments and shipping. Each runs in the caller's transaction,
// takes and gives back stock and the use of the discount, updates the order counts, writes an audit entry, and emits
// the events of order_events.h.
namespace guildhall {

// Announces what place_order() will read (Tx::read_ahead).
void announce_order(const ActionContext& context, const NewOrder& input);

// Name, SKU and price that an item leaves out are the product's. Throws Failure invalid, ORDER_NUMBER_TAKEN,
// RECORD_TOO_LARGE, OUT_OF_STOCK, DISCOUNT_…, AMOUNT_OUT_OF_RANGE. While it is unpaid, it does not expire before
// `kept_until`.
Order place_order(const ActionContext& context, const NewOrder& input,
                  std::optional<Instant> kept_until = std::nullopt);

// Throws the problems of the items of a body that has other problems, too (see problems_of_items). `currency_known` is
// false if the body's currency is wrong, `changed` is the order that the body changes; null: a new one.
void check_items(Tx& tx, const TenantId& tenant, const OrderedItems& body, bool currency_known, const OrderId* changed);

// The order that place_order would make, priced and discounted. Writes nothing and looks at no stock. Throws Failure
// invalid, RECORD_TOO_LARGE, DISCOUNT_…, AMOUNT_OUT_OF_RANGE.
Order quote_order(Tx& tx, const TenantId& tenant, const Actor& actor, const NewOrder& input, Instant now);

// `precondition` sees the order as it was, after the patch was found to be valid, and may throw. A patch that changes
// nothing writes nothing. `shipment` is the payload of ShipmentShipped if the patch marks the order shipped; without it
// the payload is made from the order. Throws the same as place_order, RECORD_TOO_LARGE, and not_found if the tenant has
// no such order: we never reveal that another tenant does.
Order change_order(const ActionContext& context, const OrderId& id, const OrderPatch& patch,
                   FunctionRef<void(const Order&)> precondition, const ShipmentPayload* shipment = nullptr);

// Changes the status alone. An order that has the status already is not written. Throws not_found, INVALID_TRANSITION.
Order move_order(const ActionContext& context, const OrderId& id, OrderStatus to);

// The same for an order that the caller has read in this transaction.
Order move_order(const ActionContext& context, const Order& order, OrderStatus to);

// Moves the order, which the caller has read in this transaction, to REFUNDED. Throws as move_order and, if the cause
// is RefundCause::requested, as a subscriber that refuses the refund: INSUFFICIENT_BALANCE of the community fund.
Order refund_order(const ActionContext& context, const Order& order, RefundCause cause);

// Hides the order; its number becomes free. An unpaid order gives back its stock and the use of its discount. Throws
// not_found.
void delete_order(const ActionContext& context, const OrderId& id, FunctionRef<void(const Order&)> precondition);

}  // namespace guildhall
