#pragma once

#include <vector>

#include "api/route.h"
#include "features/fulfilment/shipping_config.h"
#include "features/tenancy/installation_config.h"
#include "features/webhooks/webhook_intake.h"
#include "outbox/events.h"
#include "storage/database.h"

// POST /api/shipping/webhook, and what becomes of its events.
namespace guildhall {

std::vector<api::Route> shipping_webhook_routes(Database& db, const WebhookIntake& intake, const ShippingConfig& config,
                                                const InstallationConfig& installation);

// Applies a verified event, inside the transaction that stores it.
Applied apply_shipping_event(Tx& tx, const Events& events, const IncomingEvent& incoming, Instant now);

}  // namespace guildhall
