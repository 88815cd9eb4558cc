#pragma once

#include <vector>

#include "api/route.h"
#include "features/payments/payment_service.h"

// The routes of payments.
namespace guildhall {

std::vector<api::Route> payment_routes(Database& db, const Events& events);
std::vector<api::Route> payment_method_routes(Database& db, const PaymentService& service);
std::vector<api::Route> payment_webhook_routes(Database& db, const PaymentService& service,
                                               const WebhookIntake& intake);
std::vector<api::Route> refund_routes(Database& db, const PaymentService& service);
// Links to invoices, and the pages behind them.
std::vector<api::Route> invoice_routes(Database& db, const PaymentService& service,
                                       const std::optional<SecretBox>& secrets);

}  // namespace guildhall
