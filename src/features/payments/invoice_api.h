#pragma once

#include <vector>

#include "features/payments/payment_desk.h"
#include "http/route.h"

namespace guildhall {

// Links and the page behind them.
std::vector<http::Route> invoice_routes(Database& db, const PaymentDesk& desk);

}  // namespace guildhall
