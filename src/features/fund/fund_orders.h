#pragma once

#include "features/fund/fund_actions.h"
#include "features/orders/order.h"
#include "outbox/events.h"

namespace guildhall {

// Subscribes the fund to the events of orders. ContributionRequested: throws FUND_CURRENCY_MISMATCH if the order is in
// another currency than the fund. OrderPaid: books the amount that was paid for community-fund items. OrderRefunded:
// gives it back; throws INSUFFICIENT_BALANCE only if the cause is RefundCause::requested.
void subscribe_fund(Events& events);

}  // namespace guildhall
