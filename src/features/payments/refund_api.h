#pragma once

#include "api/route.h"
#include "features/payments/payment_service.h"

namespace guildhall {

std::vector<api::Route> refund_routes(Database& db, const PaymentService& service);

}  // namespace guildhall
