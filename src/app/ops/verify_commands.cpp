#include <fmt/ostream.h>
#include <iostream>

#include "app/ops/commands.h"
#include "app/ops/installation.h"
#include "app/ops/progress.h"
#include "app/ops/rebuild_progress.h"
#include "audit/audit_chain.h"
#include "base/json_writer.h"
#include "features/fund/fund_store.h"
#include "features/reports/report_rebuild.h"
#include "features/reports/report_store.h"
#include "features/tenancy/tenant_store.h"

namespace guildhall {
namespace {

void print(const ChainReport& report) {
  fmt::print(std::cout, "{}  {}: {} entries sealed, {} waiting, last hash {}{}\n",
             report.problem ? "PROBLEM" : "ok     ", report.tenant.text(), report.sealed, report.waiting,
             report.head.empty() ? "(none)" : report.head,
             report.problem ? fmt::format("\n         {}", *report.problem) : "");
}

void print_json(const TenantId& tenant, const ReportCorrections& corrections, bool corrected) {
  fmt::print(std::cout, "{}\n",
             json::object({{"tenant", tenant.text()},
                           {"orders", corrections.orders},
                           {"refunds", corrections.refunds},
                           {"differences", corrections.differences()},
                           {"built", corrections.is_built},
                           {"corrected", corrected && corrections.differences() > 0}})
                 .text);
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

struct ReportsToRebuild {
  std::vector<TenantId> tenants;
  std::int64_t orders = 0;
};

// Closes the database again, because the file must not change while it is open for reading only.
ReportsToRebuild reports_to_rebuild(const std::string& url, const std::optional<TenantId>& tenant) {
  ReportsToRebuild found;
  open_installation(url)->read([&](Tx& tx) {
    if (tenant) require_tenant(tx, *tenant);
    auto next = tenant ? tenant : tx.one(next_tenant(TenantId()));
    while (next) {
      found.tenants.push_back(*next);
      found.orders += tx.one(number_of_paid_orders(*next)).value_or(0);
      next = tenant ? std::nullopt : tx.one(next_tenant(*next));
    }
  });
  return found;
}

// The storage to correct the totals in; null if only a running server may write to the database.
std::unique_ptr<Storage> storage_to_correct(const std::string& url) {
  try {
    return open_storage({.url = url});
  } catch (const std::runtime_error& error) {
    fmt::print(std::cerr,
               "{}\nDifferences are shown and not corrected. The server itself can do so: POST "
               "/api/admin/reports/rebuild as a PlatformAdmin.\n",
               error.what());
    return nullptr;
  }
}

}  // namespace

bool verify_audit_trail(const StorageConfig& config, const std::optional<TenantId>& tenant, bool as_json) {
  return verified(config, tenant, [&](Tx& tx) {
    bool ok = true;
    for (const TenantId& each : tenant ? std::vector{*tenant} : tenants_with_trails(tx)) {
      const ChainReport report = verify_chain(tx, each);
      as_json ? fmt::print(std::cout, "{}\n", to_json(report)) : print(report);
      ok = ok && !report.problem;
    }
    return ok;
  });
}

bool verify_fund_ledgers(const StorageConfig& config, const std::optional<TenantId>& tenant, bool as_json) {
  return verified(config, tenant, [&](Tx& tx) { return verify_funds(tx, tenant, std::cout, as_json); });
}

bool rebuild_all_reports(const StorageConfig& config, const std::optional<TenantId>& tenant, bool as_json) {
  const ReportsToRebuild all = reports_to_rebuild(config.database_url, tenant);
  const auto storage = storage_to_correct(config.database_url);
  bool ok = true;
  ShownRebuild shown(all.orders);
  for (const TenantId& each : all.tenants) {
    std::optional<ReportCorrections> corrections;
    if (storage) {
      corrections = rebuild_reports(*storage, each, shown.of_tenant());
      if (!corrections) throw std::runtime_error("Another process is rebuilding the reports of " + each.text() + ".");
    } else {
      open_installation(config.database_url)->read([&](Tx& tx) {
        corrections = compare_reports(tx, each, shown.of_tenant());
      });
    }
    shown.clear();
    as_json ? print_json(each, *corrections, storage != nullptr) : print(std::cout, each, *corrections);
    ok = ok && corrections->is_correct();
  }
  return ok;
}

}  // namespace guildhall
