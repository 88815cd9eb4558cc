#pragma once

#include <vector>

#include "api/route.h"
#include "features/payments/payment_service.h"

namespace guildhall {

// Links and the page behind them.
std::vector<api::Route> invoice_routes(Database& db, const PaymentService& service);

}  // namespace guildhall
