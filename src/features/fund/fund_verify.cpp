#include <fmt/ostream.h>
#include <ostream>

#include "features/fund/fund_store.h"

namespace guildhall {
namespace {

constexpr std::int64_t rows_a_step_max = 1000;

void add_entries(Tx& tx, const TenantId& tenant, std::int64_t last, LedgerAudit& audit) {
  std::int64_t done = 0;
  while (true) {
    const auto rows = tx.all(entries_after(tenant, done, last, rows_a_step_max));
    for (const LedgerEntry& entry : rows) audit.add(entry);
    if (rows.size() < static_cast<std::size_t>(rows_a_step_max)) return;
    done = rows.back().sequence;
  }
}

bool verify_one(Tx& tx, const TenantId& tenant, std::ostream& out) {
  const auto stored = tx.all(fund_totals_of(tenant));
  const FundTotals totals = stored.empty() ? FundTotals{} : stored.front();
  LedgerAudit audit;
  add_entries(tx, tenant, totals.sequence, audit);
  audit.compare(totals);
  std::vector<std::string> problems = audit.problems();
  const std::int64_t beyond = tx.all(entries_beyond_the_balance(tenant)).front();
  const std::int64_t too_much = tx.all(orders_given_back_too_much(tenant)).front();
  if (beyond > 0) problems.push_back(fmt::format("{} entries are not in the balance", beyond));
  if (too_much > 0) problems.push_back(fmt::format("{} orders got back more than they gave", too_much));
  fmt::print(out, "{} {}: {} entries, balance {} cents\n", problems.empty() ? "ok      " : "PROBLEM ", tenant.text(),
             audit.entries(), audit.balance_cents());
  for (const std::string& problem : problems) fmt::print(out, "         {}\n", problem);
  return problems.empty();
}

}  // namespace

bool verify_funds(Tx& tx, const std::optional<TenantId>& tenant, std::ostream& out) {
  const auto tenants = tenant ? std::vector{*tenant} : tx.all(tenants_with_a_fund());
  std::size_t wrong = 0;
  for (const TenantId& one : tenants) wrong += verify_one(tx, one, out) ? 0 : 1;
  fmt::print(out, "{} ledgers recomputed, {}\n", tenants.size(),
             wrong == 0 ? "every one adds up" : fmt::format("{} do NOT add up", wrong));
  return wrong == 0;
}

}  // namespace guildhall
