#include "features/fund/fund_verify.h"

#include <fmt/ostream.h>
#include <ostream>

#include "features/fund/fund_store.h"

namespace guildhall {
namespace {

constexpr std::int64_t rows_a_transaction_max = 1000;

template <class T>
std::vector<T> all_now(Storage& storage, const Select<T>& select) {
  std::vector<T> rows;
  storage.write_now([&](Tx& tx) { rows = tx.all(select); });
  return rows;
}

void add_entries(Storage& storage, const TenantId& tenant, std::int64_t last, LedgerAudit& audit) {
  std::int64_t done = 0;
  while (true) {
    const auto rows = all_now(storage, entries_after(tenant, done, last, rows_a_transaction_max));
    for (const LedgerEntry& entry : rows) audit.add(entry);
    if (rows.size() < static_cast<std::size_t>(rows_a_transaction_max)) return;
    done = rows.back().sequence;
  }
}

bool verify_one(Storage& storage, const TenantId& tenant, std::ostream& out) {
  const auto stored = all_now(storage, fund_totals_of(tenant));
  const FundTotals totals = stored.empty() ? FundTotals{} : stored.front();
  LedgerAudit audit;
  add_entries(storage, tenant, totals.sequence, audit);
  audit.compare(totals);
  std::vector<std::string> problems = audit.problems();
  const std::int64_t beyond = all_now(storage, entries_beyond_the_balance(tenant)).front();
  const std::int64_t too_much = all_now(storage, orders_given_back_too_much(tenant)).front();
  if (beyond > 0) problems.push_back(fmt::format("{} entries are not in the balance", beyond));
  if (too_much > 0) problems.push_back(fmt::format("{} orders got back more than they gave", too_much));
  fmt::print(out, "{} {}: {} entries, balance {} cents\n", problems.empty() ? "ok      " : "PROBLEM ", tenant.text(),
             audit.entries(), audit.balance_cents());
  for (const std::string& problem : problems) fmt::print(out, "         {}\n", problem);
  return problems.empty();
}

}  // namespace

bool verify_funds(Storage& storage, const std::optional<TenantId>& tenant, std::ostream& out) {
  const auto tenants = tenant ? std::vector{*tenant} : all_now(storage, tenants_with_a_fund());
  std::size_t wrong = 0;
  for (const TenantId& one : tenants) wrong += verify_one(storage, one, out) ? 0 : 1;
  fmt::print(out, "{} ledgers recomputed, {}\n", tenants.size(),
             wrong == 0 ? "every one adds up" : fmt::format("{} do NOT add up", wrong));
  return wrong == 0;
}

}  // namespace guildhall
