#include "features/reports/calendar.h"

namespace guildhall {
namespace {

using std::chrono::days, std::chrono::sys_days, std::chrono::year_month_day;

sys_days first_of_month(sys_days day) {
  const year_month_day date(day);
  return date.year() / date.month() / 1;
}

sys_days next_month(sys_days first) {
  return year_month_day(first) + std::chrono::months(1);
}

sys_days day_of(Instant instant) {
  return std::chrono::floor<days>(
      std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(instant.ms)));
}

Instant instant_of(sys_days day) {
  return {std::chrono::milliseconds(day.time_since_epoch()).count()};
}

// Not of a month, whose length varies.
std::int64_t length_of(Level level) {
  return level == Level::QUARTER ? quarter_ms
         : level == Level::HALF  ? 2 * quarter_ms
         : level == Level::HOUR  ? 4 * quarter_ms
                                 : day_ms;
}

Instant next_bucket(Level level, Instant bucket) {
  if (level == Level::MONTH) return instant_of(next_month(day_of(bucket)));
  return {bucket.ms + length_of(level)};
}

// The first bucket that begins at the instant or later.
Instant first_bucket_from(Level level, Instant instant) {
  const Instant bucket = bucket_of(level, instant);
  return bucket == instant ? bucket : next_bucket(level, bucket);
}

}  // namespace

Date start_of(ReportInterval interval, Date date) {
  switch (interval) {
    case ReportInterval::day:
      return date;
    case ReportInterval::week:
      return {date.days - (std::chrono::weekday(date.days) - std::chrono::Monday)};
    case ReportInterval::month:
      return {first_of_month(date.days)};
  }
  return date;
}

std::vector<Date> intervals_between(ReportInterval interval, Date from, Date to) {
  std::vector<Date> starts;
  for (Date start = start_of(interval, from); start <= to;) {
    starts.push_back(start);
    start.days = interval == ReportInterval::day    ? start.days + days(1)
                 : interval == ReportInterval::week ? start.days + days(7)
                                                    : next_month(start.days);
  }
  return starts;
}

Instant bucket_of(Level level, Instant instant) {
  if (level == Level::MONTH) return instant_of(first_of_month(day_of(instant)));
  return {instant.ms - instant.ms % length_of(level)};
}

Level level_for(Instant begin, Instant end, std::int64_t offset_ms) {
  for (const Level level : {Level::DAY, Level::HOUR, Level::HALF}) {
    const std::int64_t length = length_of(level);
    if (begin.ms % length == 0 && end.ms % length == 0 && offset_ms % length == 0) return level;
  }
  return Level::QUARTER;
}

std::vector<Instant> BucketRun::buckets() const {
  std::vector<Instant> list;
  for (Instant bucket = begin; bucket < end; bucket = next_bucket(level, bucket)) list.push_back(bucket);
  return list;
}

std::vector<BucketRun> runs_of(Instant begin, Instant end) {
  std::vector<BucketRun> runs;
  const auto add = [&](Level level, Instant until) {
    if (begin >= until) return;
    runs.push_back({level, begin, until});
    begin = until;
  };
  add(Level::QUARTER, std::min(first_bucket_from(Level::DAY, begin), end));
  add(Level::DAY, std::min(first_bucket_from(Level::MONTH, begin), bucket_of(Level::DAY, end)));
  if (begin == bucket_of(Level::MONTH, begin)) add(Level::MONTH, bucket_of(Level::MONTH, end));
  add(Level::DAY, bucket_of(Level::DAY, end));
  add(Level::QUARTER, end);
  return runs;
}

}  // namespace guildhall
