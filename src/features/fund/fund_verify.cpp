#include <fmt/ostream.h>
#include <ostream>

#include "features/fund/fund_store.h"

namespace guildhall {
namespace {

constexpr std::int64_t rows_a_step_max = 1000;

struct LedgerReport {
  TenantId tenant;
  std::int64_t entries;
  std::int64_t balance_cents;
  std::vector<std::string> problems;
};
BOOST_DESCRIBE_STRUCT(LedgerReport, (), (tenant, entries, balance_cents, problems))

void print(std::ostream& out, const LedgerReport& report) {
  fmt::print(out, "{} {}: {} entries, balance {} cents\n", report.problems.empty() ? "ok      " : "PROBLEM ",
             report.tenant.text(), report.entries, report.balance_cents);
  for (const std::string& problem : report.problems) fmt::print(out, "         {}\n", problem);
}

void add_entries(Tx& tx, const TenantId& tenant, std::int64_t last, LedgerAudit& audit) {
  std::int64_t done = 0;
  while (true) {
    const auto rows = tx.all(entries_after(tenant, done, last, rows_a_step_max));
    for (const LedgerEntry& entry : rows) audit.add(entry);
    if (rows.size() < static_cast<std::size_t>(rows_a_step_max)) return;
    done = rows.back().sequence;
  }
}

LedgerReport verify_one(Tx& tx, const TenantId& tenant) {
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
  return {tenant, audit.entries(), audit.balance_cents(), std::move(problems)};
}

}  // namespace

bool verify_funds(Tx& tx, const std::optional<TenantId>& tenant, std::ostream& out, bool as_json) {
  const auto tenants = tenant ? std::vector{*tenant} : tx.all(tenants_with_a_fund());
  std::size_t wrong = 0;
  for (const TenantId& one : tenants) {
    const LedgerReport report = verify_one(tx, one);
    as_json ? fmt::print(out, "{}\n", to_json(report)) : print(out, report);
    wrong += report.problems.empty() ? 0 : 1;
  }
  if (as_json) return wrong == 0;
  fmt::print(out, "{} ledgers recomputed, {}\n", tenants.size(),
             wrong == 0 ? "every one adds up" : fmt::format("{} do NOT add up", wrong));
  return wrong == 0;
}

}  // namespace guildhall
