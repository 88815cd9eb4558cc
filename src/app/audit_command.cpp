#include "app/audit_command.h"

#include <fmt/ostream.h>
#include <iostream>

#include "audit/audit_chain.h"
#include "storage/migrations.h"

namespace guildhall {

int verify_audit_trail(const Config& config, const std::string& tenant) {
  const auto storage = open_storage({.url = config.database_url, .writer_connections_max = 1});
  migrate(*storage);
  int broken = 0;
  const auto tenants = tenant.empty() ? tenants_with_trails(*storage) : std::vector{TenantId(tenant)};
  for (const TenantId& each : tenants) {
    const ChainReport report = verify_chain(*storage, each);
    if (report.problem) ++broken;
    fmt::print(std::cout, "{}  {}: {} entries sealed, {} waiting, last hash {}{}\n",
               report.problem ? "PROBLEM" : "ok     ", each.text(), report.sealed, report.waiting,
               report.head.empty() ? "(none)" : report.head,
               report.problem ? fmt::format("\n         {}", *report.problem) : "");
  }
  return broken;
}

}  // namespace guildhall
