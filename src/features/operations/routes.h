#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "api/route.h"
#include "base/metrics.h"
#include "cache/cache.h"
#include "features/operations/database_probe.h"
#include "features/operations/operations_config.h"

namespace guildhall {

// Dependencies of the operations routes. One for each loop; it outlives the routes.
struct Operations {
  const OperationsConfig& config;
  std::span<const Variable> variables;  // that /info lists
  DatabaseProbe& database;
  Cache& cache;
  Instant started;
  const std::atomic<bool>& draining;  // after SIGTERM: /readyz answers 503, so that balancers send no more requests
  std::vector<std::string> warnings;  // for the operator; also in the start-up log and in `guildhall doctor`
  std::function<std::vector<std::string>()> present_warnings{};  // warnings that apply only at the moment of the call
};

std::vector<api::Route> operations_routes(Operations& operations);

// GET /metrics, for the separate listener that METRICS_ADDR names.
std::vector<api::Route> metrics_routes(Metrics& metrics);

// The audit trail, for a tenant's admins.
std::vector<api::Route> audit_routes(Database& db);

// The names of orders, customers, products and users by their ids.
std::vector<api::Route> name_routes(Database& db);

// A tenant's outbox messages; dead ones can be queued again.
std::vector<api::Route> outbox_routes(Database& db);

}  // namespace guildhall
