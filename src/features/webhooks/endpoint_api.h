#pragma once

#include <vector>

#include "api/route.h"
#include "base/secret_box.h"
#include "features/webhooks/endpoint.h"
#include "storage/database.h"

namespace guildhall {

// What the routes of webhook endpoints need; one per loop, and it outlives the routes.
struct WebhookEndpoints {
  Database& db;
  const SecretBox* secrets;  // null: no endpoint can be made
  TargetRule targets;
};

std::vector<api::Route> webhook_endpoint_routes(WebhookEndpoints& endpoints);

}  // namespace guildhall
