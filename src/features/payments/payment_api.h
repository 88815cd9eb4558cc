#pragma once

#include <vector>

#include "api/route.h"
#include "features/payments/payment_service.h"

namespace guildhall {

// Payments as an admin sees them, refunds, and the processors' webhooks.
std::vector<api::Route> payment_routes(Database& db, const PaymentService& service, const WebhookIntake& intake);

}  // namespace guildhall
