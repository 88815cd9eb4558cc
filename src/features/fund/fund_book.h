#pragma once

#include "features/fund/fund_ledger.h"
#include "storage/database.h"

// The only way into the ledger. The tenant's balance row is changed first, guarded, which makes writers of one tenant
// queue for its lock and leaves other tenants alone; the entry then goes out together with the commit. Call it as the
// last thing that waits for the database, so that the lock is held briefly and always taken last.
namespace guildhall {

// Gives the entry its sequence and running balance, and appends it. Throws insufficient_balance when the fund does not
// hold what the entry takes, AMOUNT_OUT_OF_RANGE when it would hold too much, WriteRace when the fund's currency is no
// longer this one or the order's part has just been written by another.
void book(Tx& tx, LedgerEntry& entry, const std::string& currency);

// Waits for those who are writing to the tenant's ledger and keeps others from it until the transaction ends. Returns
// the balance.
Cents lock_balance(Tx& tx, const TenantId& tenant, const std::string& currency);

// False if the ledger has entries of another currency already.
bool set_currency(Tx& tx, const TenantId& tenant, const std::string& currency);

}  // namespace guildhall
