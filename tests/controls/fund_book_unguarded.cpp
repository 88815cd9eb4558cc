// A control for the bank test: fund_book.cpp without its guard. Two writers may spend the same money, and the balance
// is not checked. It is linked into a separate server, in which the bank test must find violations.
#include "features/fund/fund_book.h"
#include "features/fund/fund_store.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

const Sql ensure_sql(R"(
  INSERT INTO fund_balances (tenant_id, currency, sequence, balance_cents, contributed_cents, disbursed_cents,
                             contributions, disbursements)
  VALUES ($1, $2, 0, 0, 0, 0, 0, 0) ON CONFLICT (tenant_id) DO NOTHING)");

const Sql overwrite_sql(R"(
  UPDATE fund_balances SET sequence = $2, balance_cents = $3, contributed_cents = $4, disbursed_cents = $5,
    contributions = $6, disbursements = $7 WHERE tenant_id = $1)");

const Sql insert_sql("INSERT INTO fund_ledger (" + columns<LedgerEntry>() +
                     ", previous_sequence, balance_before_cents) VALUES (" + placeholders<LedgerEntry>() +
                     ", $15, $16)");

}  // namespace

void book(Tx& tx, LedgerEntry& entry, const std::string& currency) {
  tx.run({&ensure_sql, params(entry.tenant_id, currency)});
  FundTotals totals = tx.one(fund_totals_of(entry.tenant_id)).value_or(FundTotals{});
  const bool first = totals.sequence == 0;
  std::vector<Value> before{first ? Value() : Value(totals.sequence), first ? Value() : Value(totals.balance_cents)};
  entry.sequence = ++totals.sequence;
  entry.balance_cents = totals.balance_cents += entry.change_cents;
  if (entry.kind == LedgerKind::CONTRIBUTION) {
    totals.contributed_cents += entry.change_cents;
    ++totals.contributions;
  } else {
    totals.disbursed_cents -= entry.change_cents;
    ++totals.disbursements;
  }
  tx.run({&overwrite_sql, params(entry.tenant_id, totals.sequence, totals.balance_cents, totals.contributed_cents,
                                 totals.disbursed_cents, totals.contributions, totals.disbursements)});
  std::vector<Value> values = values_of(entry);
  values.insert(values.end(), before.begin(), before.end());
  tx.run({&insert_sql, std::move(values)});
}

Cents lock_balance(Tx& tx, const TenantId& tenant, const std::string&) {
  const auto totals = tx.one(fund_totals_of(tenant));
  return totals ? Cents(totals->balance_cents) : Cents();
}

bool set_currency(Tx&, const TenantId&, const std::string&) {
  return true;
}

}  // namespace guildhall
