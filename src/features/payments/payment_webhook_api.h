#pragma once

#include "api/route.h"
#include "features/payments/payment_service.h"

namespace guildhall {

std::vector<api::Route> payment_webhook_routes(Database& db, const PaymentService& service,
                                               const WebhookIntake& intake);

}  // namespace guildhall
