#pragma once

#include <vector>

#include "api/route.h"
#include "features/payments/payment_accounts.h"
#include "storage/database.h"

namespace guildhall {

std::vector<api::Route> payment_method_routes(Database& db, const PaymentAccounts& accounts);

}  // namespace guildhall
