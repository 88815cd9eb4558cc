#include "base/date.h"

#include <charconv>
#include <fmt/format.h>

namespace guildhall {
namespace {

using std::chrono::sys_days, std::chrono::year_month_day;

constexpr Date first_date{sys_days(std::chrono::year(2000) / 1 / 1)};
constexpr Date last_date{sys_days(std::chrono::year(2037) / 12 / 31)};

std::optional<int> number_in(std::string_view digits) {
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < 0) return std::nullopt;
  return number;
}

}  // namespace

std::string to_string(Date date) {
  const year_month_day ymd(date.days);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(ymd.year()), static_cast<unsigned>(ymd.month()),
                     static_cast<unsigned>(ymd.day()));
}

std::optional<Date> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = number_in(text.substr(0, 4)), month = number_in(text.substr(5, 2)), day = number_in(text.substr(8));
  if (!year || !month || !day) return std::nullopt;
  const year_month_day ymd(std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                           std::chrono::day(static_cast<unsigned>(*day)));
  if (!ymd.ok()) return std::nullopt;
  const Date date{sys_days(ymd)};
  if (date < first_date || date > last_date) return std::nullopt;
  return date;
}

void Codec<Date>::decode(JsonValue value, Date& out, Decoder& decoder) {
  std::string_view text;
  const auto date = value.get(text) == simdjson::SUCCESS ? parse_date(text) : std::nullopt;
  if (!date) return decoder.problem("must be a date from 2000-01-01 to 2037-12-31, such as 2026-01-31");
  out = *date;
}

}  // namespace guildhall
