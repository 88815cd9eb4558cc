#pragma once

#include <vector>

#include "features/payments/payment_accounts.h"
#include "http/route.h"
#include "storage/database.h"

namespace guildhall {

std::vector<http::Route> payment_method_routes(Database& db, const PaymentAccounts& accounts);

}  // namespace guildhall
