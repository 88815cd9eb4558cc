#include "outbox/verdict.h"

#include <charconv>
#include <ctime>

namespace guildhall::outbox {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds asked_max = std::chrono::hours(24);

}  // namespace

milliseconds wait_before_next(const RetryPolicy& policy, std::int64_t attempts, double chance,
                              std::optional<milliseconds> asked) {
  milliseconds full = policy.first;
  for (std::int64_t i = 1; i < attempts && full < policy.longest; ++i) full *= 2;
  full = std::min(full, policy.longest);
  const milliseconds own(full.count() - static_cast<std::int64_t>(static_cast<double>(full.count()) * chance / 2));
  return std::max(own, std::clamp(asked.value_or(milliseconds(0)), milliseconds(0), asked_max));
}

std::optional<milliseconds> parse_retry_after(std::string_view value, Instant now) {
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error == std::errc() && end == value.data() + value.size() && seconds >= 0) {
    return milliseconds(std::min<std::int64_t>(seconds, asked_max.count()) * 1000);
  }
  std::tm date{};
  const std::string text(value);
  const char* rest = ::strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date);
  if (rest == nullptr || *rest != '\0') return std::nullopt;
  return milliseconds(std::max<std::int64_t>(0, std::int64_t{::timegm(&date)} * 1000 - now.ms));
}

}  // namespace guildhall::outbox
