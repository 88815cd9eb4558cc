#include "features/orders/order_status.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

using enum OrderStatus;

// Written from the contract, independently of the table in the code.
bool allowed(OrderStatus from, OrderStatus to) {
  if (from == to) return true;
  if (from == CANCELLED || from == REFUNDED) return false;
  if (to == CANCELLED) return from == PENDING_PAYMENT || from == PAID || from == FULFILLING;
  if (to == REFUNDED) return from != PENDING_PAYMENT;
  return to > from;
}

TEST(OrderStatus, moves_as_the_contract_says_and_no_other_way) {
  const OrderStatus all[] = {PENDING_PAYMENT, PAID, FULFILLING, SHIPPED, COMPLETE, CANCELLED, REFUNDED};
  for (const OrderStatus from : all) {
    for (const OrderStatus to : all) {
      EXPECT_EQ(may_move(from, to), allowed(from, to)) << name_of(from) << " to " << name_of(to);
    }
    EXPECT_EQ(is_open(from), from <= SHIPPED);
    EXPECT_EQ(counts_as_paid(from), from >= PAID && from <= COMPLETE);
    EXPECT_EQ(is_alive(from), from != CANCELLED && from != REFUNDED);
  }
}

}  // namespace
}  // namespace guildhall
