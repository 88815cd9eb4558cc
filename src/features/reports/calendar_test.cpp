#include "features/reports/calendar.h"

#include <gtest/gtest.h>

#include "base/time_zone.h"

namespace guildhall {
namespace {

Date date(std::string_view text) {
  return parse_date(text).value();
}

Instant at(std::string_view text) {
  return parse_instant(text).value();
}

TimeZone zone(std::string_view name) {
  return TimeZone::find(name).value();
}

std::vector<std::string> texts(const std::vector<Date>& dates) {
  std::vector<std::string> list;
  for (const Date each : dates) list.push_back(to_string(each));
  return list;
}

std::int64_t hours_of(const TimeZone& zone, std::string_view day) {
  const Date next{date(day).days + std::chrono::days(1)};
  return (zone.start_of(next).ms - zone.start_of(date(day)).ms) / 3'600'000;
}

TEST(Dates, are_read_and_written) {
  for (const char* text : {"2000-01-01", "2024-02-29", "2026-12-31", "2037-12-31"}) {
    EXPECT_EQ(to_string(date(text)), text);
  }
  for (const char* text : {"", "2026-2-01", "2026-02-30", "2025-02-29", "1999-12-31", "2038-01-01", "2026-01-01T00:00Z",
                           "2026/01/01", "+026-01-01", "2026-01- 1"}) {
    EXPECT_FALSE(parse_date(text)) << text;
  }
}

TEST(Intervals, of_weeks_begin_on_monday) {
  EXPECT_EQ(to_string(start_of(ReportInterval::week, date("2026-11-16"))), "2026-11-16");  // a Monday
  EXPECT_EQ(to_string(start_of(ReportInterval::week, date("2026-11-22"))), "2026-11-16");
  EXPECT_EQ(to_string(start_of(ReportInterval::week, date("2027-01-01"))), "2026-12-28");
}

TEST(Intervals, cover_every_date_of_the_period) {
  EXPECT_EQ(texts(intervals_between(ReportInterval::day, date("2024-02-28"), date("2024-03-01"))),
            (std::vector<std::string>{"2024-02-28", "2024-02-29", "2024-03-01"}));
  EXPECT_EQ(texts(intervals_between(ReportInterval::week, date("2026-11-15"), date("2026-11-23"))),
            (std::vector<std::string>{"2026-11-09", "2026-11-16", "2026-11-23"}));
  EXPECT_EQ(texts(intervals_between(ReportInterval::month, date("2025-12-31"), date("2026-02-01"))),
            (std::vector<std::string>{"2025-12-01", "2026-01-01", "2026-02-01"}));
}

TEST(TimeZones, are_those_of_the_iana_database) {
  EXPECT_EQ(zone("UTC").name(), "UTC");
  EXPECT_EQ(zone("Europe/Berlin").name(), "Europe/Berlin");
  for (const char* name :
       {"", "Berlin", "europe/berlin", "../../etc/passwd", "/etc/localtime", "posix/Europe/Berlin"}) {
    EXPECT_FALSE(TimeZone::find(name)) << name;
  }
}

TEST(TimeZones, have_days_of_23_and_25_hours) {
  EXPECT_EQ(hours_of(zone("Europe/Berlin"), "2026-03-29"), 23);
  EXPECT_EQ(hours_of(zone("Europe/Berlin"), "2026-10-25"), 25);
  EXPECT_EQ(hours_of(zone("Europe/Berlin"), "2026-10-26"), 24);
  EXPECT_EQ(hours_of(zone("America/New_York"), "2036-11-02"), 25);  // far in the future
  EXPECT_EQ(hours_of(zone("UTC"), "2026-03-29"), 24);
}

TEST(TimeZones, may_have_no_midnight) {
  // In Cairo the clock goes from 00:00 to 01:00.
  EXPECT_EQ(zone("Africa/Cairo").start_of(date("2024-04-26")), at("2024-04-25T22:00:00Z"));
  EXPECT_EQ(hours_of(zone("Africa/Cairo"), "2024-04-26"), 23);
}

TEST(TimeZones, may_differ_by_parts_of_an_hour) {
  EXPECT_EQ(zone("Asia/Kolkata").start_of(date("2026-01-01")), at("2025-12-31T18:30:00Z"));
  EXPECT_EQ(zone("Asia/Kathmandu").start_of(date("2026-01-01")), at("2025-12-31T18:15:00Z"));
  EXPECT_EQ(to_string(zone("Asia/Kathmandu").date_of(at("2025-12-31T18:15:00Z"))), "2026-01-01");
  EXPECT_EQ(to_string(zone("Asia/Kathmandu").date_of(at("2025-12-31T18:14:59.999Z"))), "2025-12-31");
  EXPECT_EQ(to_string(zone("America/New_York").date_of(at("2026-01-01T04:59:59.999Z"))), "2025-12-31");
}

TEST(TimeZones, are_divided_where_their_offset_changes) {
  const TimeZone berlin = zone("Europe/Berlin");
  const auto parts = berlin.parts_of(berlin.start_of(date("2026-01-01")), berlin.start_of(date("2027-01-01")));
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].begin, at("2025-12-31T23:00:00Z"));
  EXPECT_EQ(parts[0].end, at("2026-03-29T01:00:00Z"));
  EXPECT_EQ(parts[1].begin, parts[0].end);
  EXPECT_EQ(parts[1].offset, std::chrono::hours(2));
  EXPECT_EQ(parts[2].end, at("2026-12-31T23:00:00Z"));
}

// Every offset since 2000 is a multiple of a quarter of an hour, so the totals of quarters are enough.
TEST(TimeZones, have_days_of_whole_quarters) {
  for (const char* name : {"Asia/Kathmandu", "Pacific/Chatham", "Australia/Lord_Howe", "Asia/Pyongyang",
                           "America/Caracas", "America/St_Johns", "Asia/Kolkata", "Antarctica/Troll"}) {
    for (Date day = date("2000-01-01"); day < date("2037-12-31"); day.days += std::chrono::days(1)) {
      ASSERT_EQ(zone(name).start_of(day).ms % quarter_ms, 0) << name << " " << to_string(day);
    }
  }
}

TEST(Buckets, begin_where_their_quarter_day_or_month_begins) {
  const Instant instant = at("2024-02-29T23:59:59.999Z");
  EXPECT_EQ(bucket_of(Level::QUARTER, instant), at("2024-02-29T23:45:00Z"));
  EXPECT_EQ(bucket_of(Level::DAY, instant), at("2024-02-29T00:00:00Z"));
  EXPECT_EQ(bucket_of(Level::MONTH, instant), at("2024-02-01T00:00:00Z"));
}

TEST(Buckets, of_dates_are_as_long_as_the_time_zone_allows) {
  const auto level = [](std::string_view name, std::string_view from, std::string_view to) {
    const TimeZone::Part part = zone(name).parts_of(zone(name).start_of(date(from)), zone(name).start_of(date(to)))[0];
    return level_for(part.begin, part.end, std::chrono::milliseconds(part.offset).count());
  };
  EXPECT_EQ(level("UTC", "2026-01-01", "2027-01-01"), Level::DAY);
  EXPECT_EQ(level("Europe/Berlin", "2026-01-01", "2027-01-01"), Level::HOUR);
  EXPECT_EQ(level("Europe/London", "2026-01-01", "2026-03-01"), Level::DAY);
  EXPECT_EQ(level("Europe/London", "2026-01-01", "2027-01-01"), Level::HOUR);  // the part ends at 01:00
  EXPECT_EQ(level("Asia/Kolkata", "2026-01-01", "2027-01-01"), Level::HALF);
  EXPECT_EQ(level("Australia/Lord_Howe", "2026-06-01", "2026-12-01"), Level::HALF);
  EXPECT_EQ(level("Asia/Kathmandu", "2026-01-01", "2027-01-01"), Level::QUARTER);
}

TEST(Buckets, cover_a_time_span_without_gaps_and_with_few_pieces) {
  const auto check = [](std::string_view begin, std::string_view end, std::size_t buckets) {
    SCOPED_TRACE(fmt::format("{} {}", begin, end));
    Instant reached = at(begin);
    std::size_t count = 0;
    for (const BucketRun& run : runs_of(at(begin), at(end))) {
      EXPECT_EQ(run.begin, reached);
      EXPECT_LT(run.begin, run.end);
      reached = run.end;
      for (const Instant bucket : run.buckets()) EXPECT_EQ(bucket_of(run.level, bucket), bucket);
      count += run.buckets().size();
    }
    EXPECT_EQ(reached, at(end));
    EXPECT_EQ(count, buckets);
  };
  check("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z", 12);
  check("2025-12-31T23:00:00Z", "2026-12-31T23:00:00Z", 4 + 11 + 30 + 23 * 4);
  check("2026-01-05T10:15:00Z", "2026-01-05T11:00:00Z", 3);
  check("2026-01-05T00:00:00Z", "2026-01-07T00:00:00Z", 2);
  check("2026-01-05T22:00:00Z", "2026-01-07T01:00:00Z", 8 + 1 + 4);
  check("2024-02-28T00:00:00Z", "2024-04-01T00:15:00Z", 2 + 1 + 1);
  check("2026-01-31T12:00:00Z", "2026-02-01T12:00:00Z", 96);
}

}  // namespace
}  // namespace guildhall
