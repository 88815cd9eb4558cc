#include "outbox/verdict.h"

#include <cmath>
#include <ctime>

namespace guildhall::outbox {

using std::chrono::milliseconds;

milliseconds limit_requested_wait(milliseconds requested) {
  return std::clamp(requested, milliseconds(0), requested_wait_max);
}

std::optional<milliseconds> requested_wait_of(double seconds) {
  if (!(seconds >= 0)) return std::nullopt;  // NaN too
  constexpr std::chrono::duration<double> longest = requested_wait_max;
  return std::chrono::ceil<milliseconds>(std::min(std::chrono::duration<double>(seconds), longest));
}

std::optional<milliseconds> parse_retry_after(std::string_view value, Instant now) {
  const std::string text(value);
  if (!text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) {
    return requested_wait_of(std::strtod(text.c_str(), nullptr));
  }
  std::tm date{};
  const char* rest = ::strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date);
  if (rest == nullptr || *rest != '\0') return std::nullopt;
  const std::chrono::seconds moment(::timegm(&date));
  return limit_requested_wait(moment - milliseconds(now.ms));
}

milliseconds wait_before_next(const RetryPolicy& policy, std::int64_t attempts, double chance,
                              std::optional<milliseconds> asked) {
  milliseconds full = policy.first;
  for (std::int64_t i = 1; i < attempts && full < policy.longest; ++i) full *= 2;
  full = std::min(full, policy.longest);
  const milliseconds own(full.count() - static_cast<std::int64_t>(static_cast<double>(full.count()) * chance / 2));
  return std::max(own, limit_requested_wait(asked.value_or(milliseconds(0))));
}

}  // namespace guildhall::outbox
