#pragma once

#include <vector>

#include "api/route.h"
#include "features/fulfilment/shipping_config.h"
#include "features/tenancy/installation_config.h"
#include "features/webhooks/webhook_intake.h"
#include "outbox/events.h"
#include "storage/database.h"

namespace guildhall {

std::vector<api::Route> shipment_routes(Database& db, const Events& events);

// POST /api/shipping/webhook
std::vector<api::Route> shipping_webhook_routes(Database& db, const WebhookIntake& intake, const ShippingConfig& config,
                                                const InstallationConfig& installation);

// Applies a verified shipping event, inside the transaction that stores it. The shipment may belong to another tenant
// than the context's, in which the event is stored.
Applied apply_shipping_event(const ActionContext& context, const IncomingEvent& incoming);

}  // namespace guildhall
