#include <fmt/ostream.h>
#include <iostream>

#include "app/commands.h"
#include "app/installation.h"
#include "audit/audit_chain.h"
#include "features/fund/fund_store.h"

namespace guildhall {
namespace {

bool verify_trail(Tx& tx, const TenantId& tenant) {
  const ChainReport report = verify_chain(tx, tenant);
  fmt::print(std::cout, "{}  {}: {} entries sealed, {} waiting, last hash {}{}\n",
             report.problem ? "PROBLEM" : "ok     ", tenant.text(), report.sealed, report.waiting,
             report.head.empty() ? "(none)" : report.head,
             report.problem ? fmt::format("\n         {}", *report.problem) : "");
  return !report.problem;
}

// Runs `verify` on one snapshot of the installation.
bool verified(const StorageConfig& config, const std::optional<TenantId>& tenant, FunctionRef<bool(Tx&)> verify) {
  bool ok = false;
  open_installation(config.database_url)->read([&](Tx& tx) {
    if (tenant) require_tenant(tx, *tenant);
    ok = verify(tx);
  });
  return ok;
}

}  // namespace

bool verify_audit_trail(const StorageConfig& config, const std::optional<TenantId>& tenant) {
  return verified(config, tenant, [&](Tx& tx) {
    bool ok = true;
    for (const TenantId& each : tenant ? std::vector{*tenant} : tenants_with_trails(tx)) {
      ok = verify_trail(tx, each) && ok;
    }
    return ok;
  });
}

bool verify_fund_ledgers(const StorageConfig& config, const std::optional<TenantId>& tenant) {
  return verified(config, tenant, [&](Tx& tx) { return verify_funds(tx, tenant, std::cout); });
}

}  // namespace guildhall
