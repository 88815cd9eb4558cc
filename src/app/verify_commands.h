#pragma once

#include <optional>

#include "base/ids.h"
#include "storage/storage_config.h"

// The commands that recompute what can be recomputed, beside a running server or not. Each prints a line for each
// tenant to standard output and returns whether all is well. Without a tenant they verify all. They throw
// std::runtime_error with a sentence for the operator for an unknown tenant or a database that cannot be read.
namespace guildhall {

// `guildhall audit verify`: the hash chains of the audit trail.
bool verify_audit_trail(const StorageConfig& config, const std::optional<TenantId>& tenant);

// `guildhall fund verify`: the ledgers of the community fund.
bool verify_fund_ledgers(const StorageConfig& config, const std::optional<TenantId>& tenant);

}  // namespace guildhall
