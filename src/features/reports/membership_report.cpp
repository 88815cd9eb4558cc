#include "features/reports/membership_report.h"

namespace guildhall {
namespace {

void add_fact(MembershipsRow& row, const MembershipFact& fact) {
  switch (fact.kind) {
    case MembershipFactKind::STARTED:
      ++row.started;
      break;
    case MembershipFactKind::RENEWED:
      ++row.renewed;
      break;
    case MembershipFactKind::ENDED:
      ++row.ended;
      break;
  }
  row.revenue_cents = exact(static_cast<__int128>(row.revenue_cents) + fact.value_cents);
}

}  // namespace

void add_memberships(MembershipsReport& report, const ReportPeriod& period, const std::vector<MembershipFact>& facts) {
  const std::vector<Date> starts = intervals_between(report.interval, period.from, period.to);
  for (const Date start : starts) report.items.push_back({.start = start});
  report.totals.start = report.from;
  report.members_at_start = report.members;
  for (const MembershipFact& fact : facts) {
    if (fact.kind == MembershipFactKind::STARTED) --report.members_at_start;
    if (fact.kind == MembershipFactKind::ENDED) ++report.members_at_start;
    if (fact.at >= period.end) continue;
    const Date date = std::clamp(period.zone.date_of(fact.at), period.from, period.to);
    add_fact(report.items[static_cast<std::size_t>(std::ranges::upper_bound(starts, date) - starts.begin() - 1)], fact);
    add_fact(report.totals, fact);
  }
  if (report.members_at_start > 0) {
    report.churn_basis_points = report.totals.ended * 10'000 / report.members_at_start;
  }
}

}  // namespace guildhall
