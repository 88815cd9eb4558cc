#pragma once

#include "features/payments/payment_desk.h"
#include "http/route.h"

namespace guildhall {

std::vector<http::Route> refund_routes(Database& db, const PaymentDesk& desk);

}  // namespace guildhall
