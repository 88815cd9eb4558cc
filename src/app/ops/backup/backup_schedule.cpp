#include "app/ops/backup/backup_schedule.h"

#include <charconv>
#include <optional>
#include <stdexcept>

namespace guildhall {
namespace {

using std::chrono::days, std::chrono::hours, std::chrono::minutes, std::chrono::seconds;

std::optional<int> number(std::string_view text, int max) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0 || value > max) return {};
  return value;
}

seconds unit_of(char letter) {
  return letter == 'm' ? minutes(1) : letter == 'h' ? hours(1) : letter == 'd' ? days(1) : seconds(0);
}

}  // namespace

Instant BackupSchedule::last_before(Instant at) const {
  const std::int64_t ms = std::chrono::milliseconds(interval).count();
  const std::int64_t shift = std::chrono::milliseconds(offset).count();
  return {(at.ms - shift) / ms * ms + shift};
}

BackupSchedule parse_backup_schedule(std::string_view text) {
  if (text.size() == 5 && text[2] == ':') {
    const auto hour = number(text.substr(0, 2), 23), minute = number(text.substr(3), 59);
    if (hour && minute) return {.interval = days(1), .offset = hours(*hour) + minutes(*minute)};
  } else if (!text.empty()) {
    const auto count = number(text.substr(0, text.size() - 1), 1'000);
    const seconds interval = unit_of(text.back()) * count.value_or(0);
    if (interval > seconds(0)) return {.interval = interval};
  }
  throw std::invalid_argument("must be a time like 03:00 or an interval like 30m, 6h or 1d");
}

}  // namespace guildhall
