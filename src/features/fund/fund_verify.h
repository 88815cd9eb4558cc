#pragma once

#include <iosfwd>
#include <optional>

#include "features/fund/fund_ledger.h"
#include "storage/storage.h"

namespace guildhall {

// Recomputes the ledger of one tenant, or of every tenant that has one, and says what it found. True when all is well.
// Safe beside a running server on PostgreSQL: entries never change, and it judges those up to the balance it read.
bool verify_funds(Storage& storage, const std::optional<TenantId>& tenant, std::ostream& out);

}  // namespace guildhall
