#pragma once

#include <vector>

#include "api/route.h"
#include "app/config.h"
#include "features/changes/change_stream.h"
#include "features/chat/bot.h"
#include "features/identity/routes.h"
#include "features/media/media.h"
#include "features/messages/messages.h"
#include "features/operations/routes.h"
#include "features/payments/payment_service.h"
#include "features/webhooks/routes.h"
#include "features/webhooks/webhook_intake.h"
#include "outbox/events.h"

namespace guildhall {

// The dependencies of one loop's routes.
struct Services {
  Database& db;
  Auth& auth;
  Operations& operations;
  const WebhookIntake& intake;
  WebhookEndpoints& webhook_endpoints;
  const Events& events;
  const PaymentService& payments;
  const Messages& messages;
  const chat::Bot& bot;
  const Media& media;
  LiveChanges& changes;
  const Platform& platform;
  const Config& config;
};

// Returns all routes of the server. A route that is not listed there does not exist.
std::vector<api::Route> all_routes(Services& services);

}  // namespace guildhall
