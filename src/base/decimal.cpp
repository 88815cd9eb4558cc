#include "base/decimal.h"

#include <algorithm>
#include <fmt/format.h>

namespace guildhall {
namespace {

bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string decimal_text(Cents amount, Currency currency) {
  const auto digits = static_cast<std::size_t>(currency.minor_units());
  std::string text = fmt::format("{:0{}}", amount.value(), digits + 1);
  if (digits > 0) text.insert(text.size() - digits, 1, '.');
  return text;
}

std::optional<Cents> parse_decimal(std::string_view text, Currency currency) {
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
  const bool has_fraction = point == std::string_view::npos || !fraction.empty();
  if (whole.empty() || !has_fraction || !all_digits(whole) || !all_digits(fraction)) return std::nullopt;
  std::string minor(whole);
  for (int i = 0; i < currency.minor_units(); ++i) {
    minor += static_cast<std::size_t>(i) < fraction.size() ? fraction[static_cast<std::size_t>(i)] : '0';
  }
  std::int64_t value = 0;
  for (const char c : minor) {
    value = value * 10 + (c - '0');
    if (value > Cents::value_max) return std::nullopt;
  }
  return Cents(value);
}

}  // namespace guildhall
