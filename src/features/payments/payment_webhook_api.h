#pragma once

#include "features/payments/payment_desk.h"
#include "http/route.h"

namespace guildhall {

std::vector<http::Route> payment_webhook_routes(Database& db, const PaymentDesk& desk, const WebhookIntake& intake);

}  // namespace guildhall
