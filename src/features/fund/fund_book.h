#pragma once

#include "features/fund/fund_ledger.h"
#include "storage/database.h"

// The only code that writes to the ledger. It first updates the balance row of the tenant, whose lock makes the writers
// of one tenant wait for each other and does not affect other tenants. Call it as the last statement that waits for the
// database, so that the lock is held briefly and always taken last.
namespace guildhall {

// Sets the sequence number and the running balance of the entry, and appends it. Throws INSUFFICIENT_BALANCE if the
// fund does not hold the amount that the entry takes, AMOUNT_OUT_OF_RANGE if the fund would hold too much, and
// WriteRace if the fund has another currency by now or another transaction has just written the same part of the order.
void book(Tx& tx, LedgerEntry& entry, const std::string& currency);

// Locks the balance row of the tenant until the transaction ends, and returns the balance.
Cents lock_balance(Tx& tx, const TenantId& tenant, const std::string& currency);

// Returns false if the ledger has entries in another currency.
bool set_currency(Tx& tx, const TenantId& tenant, const std::string& currency);

}  // namespace guildhall
