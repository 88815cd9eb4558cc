#include "base/percent.h"

#include <cmath>

namespace guildhall {
namespace {

constexpr std::int64_t whole = 10'000;  // hundredths of a percent in 100 %

}  // namespace

// The amount is split, since 2^53 cents times 10,000 do not fit 64 bits.
Share share_of(Cents amount, Percent percent) {
  const std::int64_t tens = amount.value() / whole, rest = amount.value() % whole;
  const std::int64_t scaled = rest * percent.hundredths;
  const std::int64_t rounded = (scaled + whole / 2) / whole;
  return {Cents(tens * percent.hundredths + rounded), scaled - rounded * whole};
}

std::string to_string(Percent percent) {
  const std::int64_t units = percent.hundredths / 100, decimals = percent.hundredths % 100;
  if (decimals == 0) return fmt::format("{}", units);
  return decimals % 10 == 0 ? fmt::format("{}.{}", units, decimals / 10) : fmt::format("{}.{:02}", units, decimals);
}

void Codec<Percent>::decode(JsonValue value, Percent& out, Decoder& decoder) {
  double number = 0;
  if (value.get(number) == simdjson::SUCCESS && number >= 1 && number <= 100) {
    const auto hundredths = static_cast<std::int64_t>(std::llround(number * 100));
    // Only a number that is the double nearest to a decimal with two places is equal to this quotient.
    if (static_cast<double>(hundredths) / 100 == number) {
      out.hundredths = hundredths;
      return;
    }
  }
  decoder.problem("must be a number from 1 to 100 with at most two decimals");
}

}  // namespace guildhall
