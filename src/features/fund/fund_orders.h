#pragma once

#include "features/fund/fund_actions.h"
#include "features/orders/order.h"
#include "outbox/events.h"

namespace guildhall {

// An order with a contribution in another currency than the fund's is refused (FUND_CURRENCY_MISMATCH). An order that
// becomes paid contributes what was paid for its community-fund items, one that is refunded takes back, each in the order's own transaction.
void subscribe_fund(Events& events);

}  // namespace guildhall
