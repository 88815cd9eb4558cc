#include "base/money.h"

#include <fmt/format.h>

#include "base/failure.h"

namespace guildhall {
namespace {

constexpr std::int64_t whole = 10'000;  // hundredths of a percent in 100 %

Failure out_of_range() {
  return bad_request("AMOUNT_OUT_OF_RANGE", "An amount of money is below zero or too large.");
}

}  // namespace

Cents::Cents(std::int64_t value) : value_(value) {
  if (value < 0 || value > value_max) throw out_of_range();
}

// Two values of 53 bits cannot overflow 64 in a sum or difference; the constructor checks the result.
Cents operator+(Cents a, Cents b) {
  return Cents(a.value_ + b.value_);
}

Cents operator-(Cents a, Cents b) {
  return Cents(a.value_ - b.value_);
}

Cents operator*(Cents price, std::int64_t count) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(price.value_, count, &product)) throw out_of_range();
  return Cents(product);
}

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

}  // namespace guildhall
