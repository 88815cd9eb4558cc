#include "base/instant.h"

#include "base/clock.h"

namespace guildhall {
namespace {

// Reads exactly `count` digits; -1 when there is anything else.
int digits(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return -1;
  int number = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    number = number * 10 + (text[i] - '0');
  }
  return number;
}

struct Fraction {
  int ms;
  std::size_t length;  // of the text, the point included
};

std::optional<Fraction> parse_fraction(std::string_view text) {
  if (text.empty() || text[0] != '.') return Fraction{0, 0};
  int ms = 0;
  std::size_t i = 1;
  for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
    if (i <= 3) ms = ms * 10 + (text[i] - '0');
  }
  if (i == 1) return std::nullopt;
  for (std::size_t digit = i; digit <= 3; ++digit) ms *= 10;
  return Fraction{ms, i};
}

std::optional<std::chrono::minutes> parse_offset(std::string_view text) {
  if (text == "Z" || text == "z") return std::chrono::minutes(0);
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
  const int hours = digits(text, 1, 2);
  const int minutes = digits(text, 4, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  const std::chrono::minutes offset(hours * 60 + minutes);
  return text[0] == '-' ? -offset : offset;
}

template <int Digits>
void write_padded(char* text, int number) {
  for (int i = Digits - 1; i >= 0; --i, number /= 10) text[i] = static_cast<char>('0' + number % 10);
}

constexpr std::int64_t no_shared_clock = std::numeric_limits<std::int64_t>::min();

// How far now() is ahead of the steady clock while a shared clock is followed.
std::atomic<std::int64_t> ahead_of_steady_ms{no_shared_clock};

// How far a test has moved this process into the future.
std::atomic<std::int64_t> shift_ms{0};

template <class Clock>
std::int64_t ms_of() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(Clock::now().time_since_epoch()).count();
}

Instant unshifted_now() {
  const std::int64_t ahead = ahead_of_steady_ms.load(std::memory_order_relaxed);
  if (ahead == no_shared_clock) return local_now();
  return {ms_of<std::chrono::steady_clock>() + ahead};
}

}  // namespace

Instant local_now() {
  return {ms_of<std::chrono::system_clock>()};
}

Instant now() {
  return {unshifted_now().ms + shift_ms.load(std::memory_order_relaxed)};
}

std::chrono::steady_clock::time_point steady_now() {
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(shift_ms.load(std::memory_order_relaxed));
}

void shift_clock(std::chrono::milliseconds ahead) {
  shift_ms = ahead.count();
}

void follow_clock(Instant shared) {
  const Instant present = unshifted_now();
  const bool differs = std::chrono::milliseconds(std::abs(shared.ms - present.ms)) > clock_tolerance;
  if (!differs && ahead_of_steady_ms != no_shared_clock) return;
  ahead_of_steady_ms = (differs ? shared : present).ms - ms_of<std::chrono::steady_clock>();
}

void follow_local_clock() {
  ahead_of_steady_ms = no_shared_clock;
}

void append_to(std::string& out, Instant instant) {
  using namespace std::chrono;
  const sys_time<milliseconds> time{milliseconds(instant.ms)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  char text[] = "0000-00-00T00:00:00.000Z";
  write_padded<4>(text, static_cast<int>(date.year()));
  write_padded<2>(text + 5, static_cast<int>(static_cast<unsigned>(date.month())));
  write_padded<2>(text + 8, static_cast<int>(static_cast<unsigned>(date.day())));
  write_padded<2>(text + 11, static_cast<int>(clock.hours().count()));
  write_padded<2>(text + 14, static_cast<int>(clock.minutes().count()));
  write_padded<2>(text + 17, static_cast<int>(clock.seconds().count()));
  write_padded<3>(text + 20, static_cast<int>(clock.subseconds().count()));
  out.append(text, sizeof text - 1);
}

std::string to_string(Instant instant) {
  std::string text;
  append_to(text, instant);
  return text;
}

std::optional<Instant> parse_instant(std::string_view text) {
  using namespace std::chrono;
  constexpr std::size_t seconds_end = 19;  // 2026-11-15T00:00:00
  if (text.size() <= seconds_end || text[4] != '-' || text[7] != '-' || (text[10] != 'T' && text[10] != 't') ||
      text[13] != ':' || text[16] != ':') {
    return std::nullopt;
  }
  const int y = digits(text, 0, 4), mo = digits(text, 5, 2), d = digits(text, 8, 2);
  const int h = digits(text, 11, 2), mi = digits(text, 14, 2), s = digits(text, 17, 2);
  if (y < 0 || mo < 0 || d < 0 || h < 0 || h > 23 || mi < 0 || mi > 59 || s < 0 || s > 59) return std::nullopt;
  const year_month_day date{year(y), month(static_cast<unsigned>(mo)), day(static_cast<unsigned>(d))};
  const auto fraction = parse_fraction(text.substr(seconds_end));
  if (!date.ok() || !fraction) return std::nullopt;
  const auto offset = parse_offset(text.substr(seconds_end + fraction->length));
  if (!offset) return std::nullopt;
  const auto time = sys_days(date) + hours(h) + minutes(mi) + seconds(s) + milliseconds(fraction->ms) - *offset;
  const Instant result{time.time_since_epoch().count()};
  constexpr std::int64_t year_0 = -62'167'219'200'000, year_10000 = 253'402'300'800'000;
  if (result.ms < year_0 || result.ms >= year_10000) return std::nullopt;
  return result;
}

}  // namespace guildhall
