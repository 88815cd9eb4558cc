#pragma once

#include <vector>

#include "api/openapi.h"
#include "api/route.h"
#include "base/secret_box.h"
#include "features/webhooks/endpoint.h"
#include "features/webhooks/webhook_intake.h"
#include "storage/database.h"

namespace guildhall {

// Dependencies of the routes of webhook endpoints. One for each loop; it outlives the routes.
struct WebhookEndpoints {
  Database& db;
  const SecretBox* secrets;  // null: no endpoint can be created
  EndpointRules rules;
};

std::vector<api::Route> webhook_endpoint_routes(WebhookEndpoints& endpoints);

// The event with which an endpoint is tried out.
api::OutgoingEvent test_webhook();

// The events that providers have sent.
std::vector<api::Route> webhook_event_routes(Database& db, const WebhookIntake& intake);

}  // namespace guildhall
