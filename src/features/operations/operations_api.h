#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "api/route.h"
#include "base/metrics.h"
#include "cache/cache.h"
#include "features/operations/database_probe.h"
#include "features/operations/operations_config.h"

namespace guildhall {

// What the operations routes need; one per loop, and it outlives the routes.
struct Operations {
  const OperationsConfig& config;
  std::span<const Variable> variables;  // that /info lists
  DatabaseProbe& database;
  Cache& cache;
  Instant started;
  const std::atomic<bool>& draining;  // SIGTERM has come: /readyz answers 503 so that balancers stop sending
  std::vector<std::string> warnings;  // what an operator should know; also in the start-up log and `doctor`
  std::function<std::vector<std::string>()> present_warnings{};  // and what is so at this moment only
};

std::vector<api::Route> operations_routes(Operations& operations);

// GET /metrics, for the separate listener that METRICS_ADDR names.
std::vector<api::Route> metrics_routes(Metrics& metrics);

}  // namespace guildhall
