#pragma once

#include "features/reports/report_store.h"
#include "features/reports/reports.h"

// Reads totals for a report, in a reading transaction. The number of statements and rows is bounded, whatever the
// number of orders.
namespace guildhall {

struct IntervalSums {
  std::vector<Date> starts;
  std::vector<Measures> sums;  // of each interval
  Measures total;
};
IntervalSums read_intervals(Tx& tx, const TotalsFilter& filter, const std::string& key, const ReportPeriod& period,
                            ReportInterval interval);

struct Ranking {
  std::vector<KeySums> keys;  // by total, largest first
  bool is_complete = true;    // false: there are more keys than were asked for
};
// The sums are exact. A key is missed only if it is not among the largest of any bucket (see the numbers in the file).
Ranking read_ranking(Tx& tx, const TotalsFilter& filter, const ReportPeriod& period, std::int64_t limit);

std::vector<std::string> currencies_of(Tx& tx, const TenantId& tenant);

// The names of the keys. Keys without a record are left out.
using NamesOf = Select<NamedKey> (*)(const TenantId&, const std::vector<std::string>&);
std::map<std::string, NamedKey> read_names(Tx& tx, const TenantId& tenant, const std::vector<KeySums>& keys,
                                           NamesOf names_of);

}  // namespace guildhall
