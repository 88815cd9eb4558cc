#include "features/slice.h"

#include "base/worker_pools.h"
#include "features/operations/routes.h"

namespace guildhall {
namespace {

std::unique_ptr<DatabaseProbe> make_database_probe(Database& db, const Storage& storage, Background& background) {
  return std::make_unique<DatabaseProbe>(db, storage, background);
}

std::unique_ptr<Operations> make_operations(const OperationsConfig& config, DatabaseProbe& database, Cache& cache,
                                            const ProcessState& process) {
  return std::unique_ptr<Operations>(
      new Operations{.config = config, .database = database, .cache = cache, .process = process});
}

std::unique_ptr<Platform> make_platform(Database& db, OutboundWorkers& workers, const PlatformTools& tools) {
  return std::unique_ptr<Platform>(new Platform{.db = db, .workers = workers, .tools = tools});
}

}  // namespace

Slice operations_slice() {
  return Slice("operations")
      .table({.name = "nodes", .other = "node_id host address version"})
      .per_loop(make_database_probe)
      .per_loop(make_operations)
      .per_loop(make_platform)
      .routes(outbox_routes)
      .routes(audit_routes)
      .routes(name_routes)
      .routes(operations_routes)
      .routes(platform_routes);
}

}  // namespace guildhall
