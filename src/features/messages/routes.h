#pragma once

#include <vector>

#include "api/route.h"
#include "features/messages/messages.h"
#include "features/payments/payment_service.h"
#include "storage/database.h"

namespace guildhall {

std::vector<api::Route> message_routes(Database& db, const Messages& messages);

// Sends an invoice link to the buyer of an order.
std::vector<api::Route> invoice_message_routes(Database& db, const Events& events, const Messages& messages,
                                               const PaymentService& payments);

// The alerts of the person who calls.
std::vector<api::Route> alert_routes(Database& db, const Messages& messages);

// The browsers that show the alerts of the person who calls.
std::vector<api::Route> push_routes(Database& db, const Messages& messages);

// The pages behind the links in messages.
std::vector<api::Route> unsubscribe_routes(Database& db, const Messages& messages);

}  // namespace guildhall
