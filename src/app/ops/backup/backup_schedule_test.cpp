#include "app/ops/backup/backup_schedule.h"

#include <gtest/gtest.h>
#include <stdexcept>

namespace guildhall {
namespace {

std::string last_before(const char* schedule, const char* at) {
  return to_string(parse_backup_schedule(schedule).last_before(parse_instant(at).value()));
}

TEST(BackupSchedule, has_a_time_of_the_day_or_an_interval) {
  EXPECT_EQ(last_before("03:30", "2026-01-02T03:29:59Z"), "2026-01-01T03:30:00.000Z");
  EXPECT_EQ(last_before("03:30", "2026-01-02T03:30:00Z"), "2026-01-02T03:30:00.000Z");
  EXPECT_EQ(last_before("6h", "2026-01-02T13:10:00Z"), "2026-01-02T12:00:00.000Z");
  EXPECT_EQ(last_before("30m", "2026-01-02T13:10:00Z"), "2026-01-02T13:00:00.000Z");
  EXPECT_EQ(last_before("1d", "2026-01-02T13:10:00Z"), "2026-01-02T00:00:00.000Z");
}

TEST(BackupSchedule, is_refused_if_it_is_something_else) {
  for (const char* text : {"3:00", "24:00", "03:60", "03-00", "0h", "h", "6", "-1h", "6 h", "6h ", "1001d", "daily"}) {
    EXPECT_THROW(parse_backup_schedule(text), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace guildhall
