#include "features/orders/order_status.h"

namespace guildhall {
namespace {

constexpr std::size_t statuses = 7;
constexpr bool n = false, Y = true;

// From (row) to (column), in the order of the declaration.
constexpr bool moves[statuses][statuses] = {
    //            PENDING PAID FULFILLING SHIPPED COMPLETE CANCELLED REFUNDED
    /* PENDING    */ {Y, Y, Y, Y, Y, Y, n},
    /* PAID       */ {n, Y, Y, Y, Y, Y, Y},
    /* FULFILLING */ {n, n, Y, Y, Y, Y, Y},
    /* SHIPPED    */ {n, n, n, Y, Y, n, Y},
    /* COMPLETE   */ {n, n, n, n, Y, n, Y},
    /* CANCELLED  */ {n, n, n, n, n, Y, n},
    /* REFUNDED   */ {n, n, n, n, n, n, Y},
};

}  // namespace

bool may_move(OrderStatus from, OrderStatus to) {
  return moves[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

void require_move(OrderStatus from, OrderStatus to) {
  if (may_move(from, to)) return;
  throw bad_request("INVALID_TRANSITION", fmt::format("An order cannot go from {} to {}.", name_of(from), name_of(to)));
}

bool is_open(OrderStatus status) {
  return status <= OrderStatus::SHIPPED;
}

bool counts_as_paid(OrderStatus status) {
  return status >= OrderStatus::PAID && status <= OrderStatus::COMPLETE;
}

bool is_alive(OrderStatus status) {
  return status <= OrderStatus::COMPLETE;
}

}  // namespace guildhall
