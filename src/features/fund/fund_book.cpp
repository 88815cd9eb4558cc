#include "features/fund/fund_book.h"

#include "features/fund/fund_store.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

struct Moved {
  std::int64_t sequence;
  std::int64_t balance_cents;
};
BOOST_DESCRIBE_STRUCT(Moved, (), (sequence, balance_cents))

// The WHERE clause is evaluated while the row is locked, so two writers cannot spend the same money.
const Sql move_sql(R"(
  UPDATE fund_balances SET
    sequence = sequence + 1, balance_cents = balance_cents + $2,
    contributed_cents = contributed_cents + $3, disbursed_cents = disbursed_cents + $4,
    contributions = contributions + $5, disbursements = disbursements + $6
  WHERE tenant_id = $1 AND currency = $7 AND balance_cents + $2 >= 0 AND contributed_cents + $3 <= $8
  RETURNING sequence, balance_cents)");

std::optional<Moved> move(Tx& tx, const LedgerEntry& entry, const std::string& currency) {
  const bool in = entry.kind == LedgerKind::CONTRIBUTION;
  const std::int64_t zero = 0, change = entry.change_cents;
  return tx.one(Select<Moved>{{&move_sql, params(entry.tenant_id, change, in ? change : zero, in ? zero : -change,
                                                 std::int64_t{in}, std::int64_t{!in}, currency, Cents::value_max)},
                              read_row<Moved>});
}

const Sql ensure_sql(R"(
  INSERT INTO fund_balances (tenant_id, currency, sequence, balance_cents, contributed_cents, disbursed_cents,
                             contributions, disbursements)
  VALUES ($1, $2, 0, 0, 0, 0, 0, 0) ON CONFLICT (tenant_id) DO NOTHING)");

void ensure_balance(Tx& tx, const TenantId& tenant, const std::string& currency) {
  tx.run({&ensure_sql, params(tenant, currency)});
}

Moved moved(Tx& tx, const LedgerEntry& entry, const std::string& currency) {
  if (const auto done = move(tx, entry, currency)) return *done;
  ensure_balance(tx, entry.tenant_id, currency);
  if (const auto done = move(tx, entry, currency)) return *done;
  const auto totals = tx.one(fund_totals_of(entry.tenant_id));
  if (!totals || totals->currency != currency) throw WriteRace();
  if (entry.change_cents < 0) throw insufficient_balance();
  Cents(totals->contributed_cents) += Cents(entry.change_cents);  // throws AMOUNT_OUT_OF_RANGE
  throw WriteRace();                                              // another transaction has changed the sums meanwhile
}

const Sql insert_sql("INSERT INTO fund_ledger (" + columns<LedgerEntry>() +
                     ", previous_sequence, balance_before_cents) VALUES (" + placeholders<LedgerEntry>() +
                     ", $15, $16) ON CONFLICT (tenant_id, order_id, order_part) DO NOTHING");

Query insertion(const LedgerEntry& entry) {
  std::vector<Value> values = values_of(entry);
  const bool first = entry.sequence == 1;
  values.emplace_back(first ? Value() : Value(entry.sequence - 1));
  values.emplace_back(first ? Value() : Value(entry.balance_cents - entry.change_cents));
  return {&insert_sql, std::move(values)};
}

const Sql lock_sql(
    "UPDATE fund_balances SET sequence = sequence WHERE tenant_id = $1 AND currency = $2 RETURNING balance_cents");

const Sql currency_sql(
    "UPDATE fund_balances SET currency = $2 WHERE tenant_id = $1 AND (sequence = 0 OR currency = $2)");

}  // namespace

void book(Tx& tx, LedgerEntry& entry, const std::string& currency) {
  const Moved now = moved(tx, entry, currency);
  entry.sequence = now.sequence;
  entry.balance_cents = now.balance_cents;
  if (!entry.order_part.value) return tx.later(insertion(entry));
  if (tx.run(insertion(entry)) == 0) throw WriteRace();
}

Cents lock_balance(Tx& tx, const TenantId& tenant, const std::string& currency) {
  ensure_balance(tx, tenant, currency);
  const auto balance = tx.one(
      Select<std::int64_t>{{&lock_sql, params(tenant, currency)}, [](const Row& row) { return row.integer(0); }});
  if (!balance) throw WriteRace();
  return Cents(*balance);
}

bool set_currency(Tx& tx, const TenantId& tenant, const std::string& currency) {
  ensure_balance(tx, tenant, currency);
  return tx.run({&currency_sql, params(tenant, currency)}) == 1;
}

}  // namespace guildhall
