#pragma once

#include <optional>

#include "base/ids.h"
#include "storage/storage_config.h"

// Commands that verify stored data by recomputing it, with or without a running server. Each prints a line per tenant
// to standard output and returns whether it found no problem. Without a tenant they verify all tenants. They throw
// std::runtime_error with a sentence for the operator for an unknown tenant or a database that cannot be read.
namespace guildhall {

// `guildhall audit verify`: the hash chains of the audit trail.
bool verify_audit_trail(const StorageConfig& config, const std::optional<TenantId>& tenant);

// `guildhall fund verify`: the ledgers of the community fund.
bool verify_fund_ledgers(const StorageConfig& config, const std::optional<TenantId>& tenant);

// `guildhall reports rebuild`: recomputes the totals of the reports and corrects them. Reports that were never built
// are no problem. On SQLite beside a running server it only compares, because that server alone may write.
bool rebuild_all_reports(const StorageConfig& config, const std::optional<TenantId>& tenant);

}  // namespace guildhall
