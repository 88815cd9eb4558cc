#pragma once

#include <iosfwd>
#include <optional>

#include "features/fund/fund_ledger.h"
#include "storage/database.h"

namespace guildhall {

// Recomputes the ledger of one tenant, or of every tenant that has one, and says what it found. True when all is well.
// Only reads, some hundred entries at a time. Safe beside a running server: entries never change, and it judges those
// up to the balance that it has read.
bool verify_funds(Tx& tx, const std::optional<TenantId>& tenant, std::ostream& out);

}  // namespace guildhall
