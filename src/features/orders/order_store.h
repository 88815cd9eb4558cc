#pragma once

#include "api/page.h"
#include "base/job_failures.h"
#include "features/orders/order.h"
#include "storage/storage.h"

// All SQL of orders. Nothing here can be asked without a tenant; deleted orders are never found.
namespace guildhall {

Select<Order> order_by_id(const TenantId& tenant, const OrderId& id);
Select<Order> order_by_number(const TenantId& tenant, const std::string& order_number);

// Locks the order's row until the commit.
void lock_order(Tx& tx, const TenantId& tenant, const OrderId& id);

// Newest first, after the position.
Select<Order> orders_of_customer(const TenantId& tenant, const CustomerId& customer, const Position& position,
                                 std::int64_t limit);

// Whether the tenant has any order, deleted ones included (they are kept).
bool has_orders(Tx& tx, const TenantId& tenant);

// The transaction fails with ORDER_NUMBER_TAKEN if there is one with that number.
void insert_order(Tx& tx, const Order& order);

// Defers the update of the record and increments its version. The transaction fails with WriteRace if the record was
// changed since it was read.
void update_order(Tx& tx, Order& order);

// Keeps the list of a product's orders in step with a changed order. A deleted order is in none (`after` is null).
void update_order_products(Tx& tx, const Order& before, const Order* after);

// Fills the search text and the products of some orders from before there were such. Returns their number.
std::int64_t fill_order_lists(Tx& tx, const JobFailures& failures);

// Counts one order more (or less) in a status. Rows that many transactions write: call it last.
void count_orders(Tx& tx, const Order& order, OrderStatus status, std::int64_t difference);

}  // namespace guildhall
