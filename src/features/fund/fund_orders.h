#pragma once

#include "features/fund/fund_actions.h"
#include "features/orders/order.h"
#include "outbox/events.h"

namespace guildhall {

// What the order gives to the fund, never more than was paid for it; nothing for most orders. Throws
// AMOUNT_OUT_OF_RANGE.
Cents fund_amount_of(const OrderEvent& order);

// An order that becomes paid contributes, one that is refunded takes back, each in the order's own transaction.
void subscribe_fund(Events& events);

}  // namespace guildhall
