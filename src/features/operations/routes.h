#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/route.h"
#include "base/metrics.h"
#include "base/process_state.h"
#include "base/worker_pool.h"
#include "cache/cache.h"
#include "features/operations/backup_list.h"
#include "features/operations/database_probe.h"
#include "features/operations/findings.h"
#include "features/operations/nodes.h"
#include "features/operations/operations_config.h"

namespace guildhall {

// Dependencies of the operations routes. One for each loop; it outlives the routes.
struct Operations {
  const OperationsConfig& config;
  DatabaseProbe& database;
  Cache& cache;
  const ProcessState& process;
};

std::vector<api::Route> operations_routes(Operations& operations);

// The work of the platform's routes that this slice cannot do itself. One for the process. The functions block; any
// thread.
struct PlatformTools {
  Node node;                                         // this process
  std::function<DoctorReport(bool online)> examine;  // throws Failure unavailable while another examination runs
  std::function<BackupList()> list_backups;
  std::function<void()> start_backup;  // in the background; does nothing while a requested backup is running
};

// Dependencies of the platform's routes. One for each loop; it outlives the routes.
struct Platform {
  Database& db;
  WorkerPool& workers;
  const PlatformTools& tools;
};

// Nodes, findings and backups, for those who run the installation.
std::vector<api::Route> platform_routes(const Platform& platform);

// GET /metrics, for the separate listener that METRICS_ADDR names.
std::vector<api::Route> metrics_routes(Metrics& metrics);

// The audit trail, for a tenant's admins.
std::vector<api::Route> audit_routes(Database& db);

// The names of orders, customers, products and users by their ids.
std::vector<api::Route> name_routes(Database& db);

// A tenant's outbox messages; dead ones can be queued again.
std::vector<api::Route> outbox_routes(Database& db);

}  // namespace guildhall
