#pragma once

#include <vector>

#include "api/route.h"
#include "features/billing/billing_config.h"
#include "features/email/email.h"
#include "features/webhooks/webhook_intake.h"
#include "storage/database.h"

namespace guildhall {

// GET /api/admin/billing, and POST /api/billing-provider/webhook where platform billing is configured.
std::vector<api::Route> billing_routes(Database& db, const WebhookIntake& intake, const BillingConfig& config,
                                       const InstallationConfig& installation);

// Applies a verified billing event, inside the transaction that stores it.
Applied apply_billing_webhook(const ActionContext& context, const OperationsContact& operations,
                              const IncomingEvent& incoming);

}  // namespace guildhall
