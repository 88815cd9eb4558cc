#pragma once

#include <chrono>
#include <vector>

#include "base/date.h"
#include "base/names.h"

// Calendar arithmetic for reports. Pure.
namespace guildhall {

enum class ReportInterval { day, week, month };
BOOST_DESCRIBE_ENUM(ReportInterval, day, week, month)

// The first date of the day, week (Monday) or month that has the date.
Date start_of(ReportInterval interval, Date date);

// The starts of all intervals that have a date from `from` to `to`, in order.
std::vector<Date> intervals_between(ReportInterval interval, Date from, Date to);

// Totals are kept for quarters of an hour, half hours, hours, days and months in UTC. A day of any time zone consists
// of whole quarters, since all time zones have used multiples of a quarter as their difference to UTC since 1986.
enum class Level { QUARTER, HALF, HOUR, DAY, MONTH };
BOOST_DESCRIBE_ENUM(Level, QUARTER, HALF, HOUR, DAY, MONTH)

constexpr std::int64_t quarter_ms = 15 * 60 * 1000;
constexpr std::int64_t day_ms = 24 * 60 * 60 * 1000;

// The beginning of the quarter, half hour, hour, day or month in UTC that has the instant.
Instant bucket_of(Level level, Instant instant);

// The longest buckets, up to a day, of which the dates of a time span consist, where the difference to UTC is
// `offset_ms`. Fewer buckets are read faster.
Level level_for(Instant begin, Instant end, std::int64_t offset_ms);

// Consecutive buckets of one level.
struct BucketRun {
  Level level;
  Instant begin, end;

  std::vector<Instant> buckets() const;
};

// Splits a time span, which begins and ends at a quarter, into as few buckets as possible.
std::vector<BucketRun> runs_of(Instant begin, Instant end);

}  // namespace guildhall
