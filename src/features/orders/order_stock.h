#pragma once

#include <map>

#include "features/orders/order.h"
#include "outbox/events.h"

// The stock that an order holds, and how a change of the order changes it.
namespace guildhall {

struct StockChange {
  std::int64_t quantity = 0;  // positive: to take; negative: to give back
  bool of_keys = false;
};

// By product. They are carried out in the order of the product ids, so that two orders cannot deadlock.
using StockChanges = std::map<ProductId, StockChange>;

// Sets the stock_taken of `after` and returns the changes of the stock. `before` is null for a new order. Only products
// whose stock is counted are held. `products` may be empty if the items are the same as before. Throws ORDER_IS_PAID
// for more units of a product with keys: they are given with the payment.
StockChanges plan_stock(const OrderedProducts& products, const Order* before, Order& after);

// Clears the stock_taken of the order and returns the changes of the stock.
StockChanges give_back_all(Order& order);

// `products` has all products whose stock is taken. Emits the events of stock. Throws OUT_OF_STOCK.
void change_stock(const ActionContext& context, const StockChanges& changes, const OrderedProducts& products);

}  // namespace guildhall
