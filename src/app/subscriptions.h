#pragma once

#include "features/billing/billing_config.h"
#include "outbox/events.h"

namespace guildhall {

// Makes every subscription to domain events, and publishes events to webhook endpoints.
void subscribe_all(Events& events, const BillingConfig& billing);

}  // namespace guildhall
