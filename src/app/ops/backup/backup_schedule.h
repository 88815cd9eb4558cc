#pragma once

#include <chrono>
#include <string_view>

#include "base/instant.h"

namespace guildhall {

// Times at which the server makes a backup: every `interval` since midnight of 1 January 1970 in UTC, plus `offset`.
// All nodes compute the same times.
struct BackupSchedule {
  std::chrono::seconds interval{0};  // 0: never
  std::chrono::seconds offset{0};

  // The last of these times that is not after `at`.
  Instant last_before(Instant at) const;
};

// A time of the day in UTC (`03:00`), or an interval in minutes, hours or days (`30m`, `6h`, `1d`). Throws
// std::invalid_argument("must be …") for another text.
BackupSchedule parse_backup_schedule(std::string_view text);

}  // namespace guildhall
