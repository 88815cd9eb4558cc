#pragma once

#include <vector>

#include "api/route.h"
#include "base/secret_box.h"
#include "features/webhooks/endpoint.h"
#include "storage/database.h"

namespace guildhall {

// The dependencies of the routes of webhook endpoints. Each loop has one, which outlives its routes.
struct WebhookEndpoints {
  Database& db;
  const SecretBox* secrets;  // null: no endpoint can be made
  EndpointRules rules;
};

std::vector<api::Route> webhook_endpoint_routes(WebhookEndpoints& endpoints);

}  // namespace guildhall
