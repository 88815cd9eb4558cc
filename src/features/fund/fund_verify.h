#pragma once

#include <iosfwd>
#include <optional>

#include "features/fund/fund_ledger.h"
#include "storage/database.h"

namespace guildhall {

// Recomputes the ledger of one tenant, or of every tenant that has one, and prints the result. Returns true if all of
// them are correct. It only reads, in steps of 1,000 entries, and is safe beside a running server: entries never
// change, and it checks those up to the balance that it has read.
bool verify_funds(Tx& tx, const std::optional<TenantId>& tenant, std::ostream& out);

}  // namespace guildhall
