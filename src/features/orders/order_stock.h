#pragma once

#include <map>

#include "features/orders/order.h"
#include "storage/database.h"

// What an order holds of the products' stock, and how that changes with it.
namespace guildhall {

// What is still to be done to the stock: taken (positive) or given back (negative), by product. Carried out in the
// order of the ids, so that two orders never wait for each other.
using StockChanges = std::map<ProductId, std::int64_t>;

// Decides what `after` holds (its stock_taken) and returns what that changes; `before` is null for a new order. Only
// products that the tenant has, tracks and counts are held.
StockChanges plan_stock(Tx& tx, const Order* before, Order& after);

// The order holds nothing any more; returns what that changes.
StockChanges give_back_all(Order& order);

// Throws OUT_OF_STOCK.
void change_stock(Tx& tx, const TenantId& tenant, const StockChanges& changes, Instant now);

}  // namespace guildhall
