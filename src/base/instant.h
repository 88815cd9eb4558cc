#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace guildhall {

// A point in time: milliseconds since 1970 in UTC.
struct Instant {
  std::int64_t ms = 0;

  auto operator<=>(const Instant&) const = default;
  Instant operator+(std::chrono::milliseconds d) const { return {ms + d.count()}; }
  Instant operator-(std::chrono::milliseconds d) const { return {ms - d.count()}; }
};

// The present time; base/clock.h says whose clock it is.
Instant now();

// `2026-11-15T00:00:00.000Z`
std::string to_string(Instant instant);
void append_to(std::string& out, Instant instant);

// RFC 3339 with `Z` or an offset, years 0000 to 9999; digits beyond the millisecond are dropped. Returns nothing
// for any other text.
std::optional<Instant> parse_instant(std::string_view text);

}  // namespace guildhall
