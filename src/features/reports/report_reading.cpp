#include "features/reports/report_reading.h"

#include <unordered_map>

namespace guildhall {
namespace {

constexpr std::size_t currencies_max = 200;

// How many keys of one bucket are considered: a report has at most 1,096 days, so 36 months, 60 days and 190 quarters.
std::int64_t keys_considered(Level level) {
  return level == Level::MONTH ? 1000 : level == Level::DAY ? 300 : 100;
}

// Keys that may be among the largest, best first, each with the sum of the buckets in which it is.
std::vector<RankedKey> candidates(Tx& tx, const TotalsFilter& filter, const std::vector<BucketRun>& runs) {
  std::unordered_map<std::string, std::int64_t> totals;
  for (const BucketRun& run : runs) {
    for (const Instant bucket : run.buckets()) {
      const auto keys = tx.all(largest_in_bucket(filter, run.level, bucket, keys_considered(run.level)));
      for (const RankedKey& each : keys) totals[each.key] += each.total_cents;  // at most 286 numbers of 53 bits
    }
  }
  std::vector<RankedKey> keys;
  for (auto& [key, total] : totals) keys.push_back({key, total});
  std::ranges::sort(keys, [](const RankedKey& a, const RankedKey& b) {
    return std::tie(b.total_cents, a.key) < std::tie(a.total_cents, b.key);
  });
  return keys;
}

// Calls `take` with up to keys_a_query keys at a time.
template <class T, class Take>
void in_steps(const std::vector<T>& keys, Take take) {
  std::vector<std::string> step;
  for (const T& each : keys) {
    step.push_back(each.key);
    if (step.size() == keys_a_query) take(std::exchange(step, {}));
  }
  if (!step.empty()) take(step);
}

}  // namespace

IntervalSums read_intervals(Tx& tx, const TotalsFilter& filter, const std::string& key, const ReportPeriod& period,
                            ReportInterval interval) {
  IntervalSums result{.starts = intervals_between(interval, period.from, period.to), .sums = {}, .total = {}};
  result.sums.resize(result.starts.size());
  for (const TimeZone::Part& part : period.zone.parts_of(period.begin, period.end)) {
    const std::int64_t offset_ms = std::chrono::milliseconds(part.offset).count();
    for (const DateSums& day : sums_by_date(tx, filter, key, part.begin, part.end, offset_ms)) {
      // Where a clock is put back shortly after midnight, the previous date returns for a moment.
      const auto after = std::ranges::upper_bound(result.starts, std::clamp(day.date, period.from, period.to));
      add(result.sums[static_cast<std::size_t>(after - result.starts.begin() - 1)], day.measures);
      add(result.total, day.measures);
    }
  }
  return result;
}

Ranking read_ranking(Tx& tx, const TotalsFilter& filter, const ReportPeriod& period, std::int64_t limit) {
  const std::vector<BucketRun> runs = runs_of(period.begin, period.end);
  std::vector<RankedKey> keys = candidates(tx, filter, runs);
  Ranking ranking{.keys = {}, .is_complete = std::ssize(keys) <= limit};
  keys.resize(std::min(keys.size(), static_cast<std::size_t>(limit)));
  std::map<std::string, Measures> sums;
  in_steps(keys, [&](const std::vector<std::string>& step) {
    for (const BucketRun& run : runs) {
      for (const KeySums& each : tx.all(sums_of_keys(filter, step, run))) add(sums[each.key], each.measures);
    }
  });
  for (const auto& [key, measures] : sums) {
    if (measures != Measures()) ranking.keys.push_back({key, measures});
  }
  std::ranges::stable_sort(ranking.keys, std::greater(), [](const KeySums& each) { return each.measures.total_cents; });
  return ranking;
}

std::vector<std::string> currencies_of(Tx& tx, const TenantId& tenant) {
  std::vector<std::string> currencies;
  auto next = tx.one(next_currency(tenant, ""));
  while (next && currencies.size() < currencies_max) {
    currencies.push_back(*next);
    next = tx.one(next_currency(tenant, currencies.back()));
  }
  return currencies;
}

std::map<std::string, NamedKey> read_names(Tx& tx, const TenantId& tenant, const std::vector<KeySums>& keys,
                                           NamesOf names_of) {
  std::map<std::string, NamedKey> names;
  in_steps(keys, [&](const std::vector<std::string>& step) {
    for (NamedKey& named : tx.all(names_of(tenant, step))) names.emplace(named.key, std::move(named));
  });
  return names;
}

}  // namespace guildhall
