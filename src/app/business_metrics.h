#pragma once

#include "base/metrics.h"
#include "outbox/events.h"

namespace guildhall {

// Counts orders, payments and refunds from their events, after the commit of each.
void count_business_events(Events& events, Metrics& metrics);

}  // namespace guildhall
