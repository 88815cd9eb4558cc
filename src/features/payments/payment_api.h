#pragma once

#include <vector>

#include "features/payments/payment_desk.h"
#include "http/route.h"

namespace guildhall {

// Payments as an admin sees them, refunds, and the processors' webhooks.
std::vector<http::Route> payment_routes(Database& db, const PaymentDesk& desk, const WebhookIntake& intake);

}  // namespace guildhall
