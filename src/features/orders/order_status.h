#pragma once

#include "base/names.h"

// The states of an order and how it may move between them.
namespace guildhall {

enum class OrderStatus { PENDING_PAYMENT, PAID, FULFILLING, SHIPPED, COMPLETE, CANCELLED, REFUNDED };
BOOST_DESCRIBE_ENUM(OrderStatus, PENDING_PAYMENT, PAID, FULFILLING, SHIPPED, COMPLETE, CANCELLED, REFUNDED)

enum class OrderShippingStatus { PENDING, LABEL_CREATED, SHIPPED, DELIVERED, FAILED };
BOOST_DESCRIBE_ENUM(OrderShippingStatus, PENDING, LABEL_CREATED, SHIPPED, DELIVERED, FAILED)

// Forward along PENDING_PAYMENT → PAID → FULFILLING → SHIPPED → COMPLETE, steps may be skipped; CANCELLED from the
// first three; REFUNDED from PAID and later. Keeping the status is allowed.
bool may_move(OrderStatus from, OrderStatus to);

// Throws INVALID_TRANSITION.
void require_move(OrderStatus from, OrderStatus to);

// PENDING_PAYMENT, PAID, FULFILLING or SHIPPED.
bool is_open(OrderStatus status);

// PAID, FULFILLING, SHIPPED or COMPLETE. A refunded order does not count as paid.
bool counts_as_paid(OrderStatus status);

// Whether an order in this status holds stock and the use of its discount: all but CANCELLED and REFUNDED.
bool is_alive(OrderStatus status);

}  // namespace guildhall
