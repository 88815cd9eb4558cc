#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace guildhall {

// An amount of money in minor units, 0 … 2^53−1 (the integers that every JSON parser represents exactly). Constructing
// or computing an amount outside that range throws Failure AMOUNT_OUT_OF_RANGE; no operation overflows.
class Cents {
 public:
  static constexpr std::int64_t value_max = (std::int64_t{1} << 53) - 1;

  constexpr Cents() = default;
  explicit Cents(std::int64_t value);

  constexpr std::int64_t value() const { return value_; }
  auto operator<=>(const Cents&) const = default;

  Cents& operator+=(Cents other) { return *this = *this + other; }
  Cents& operator-=(Cents other) { return *this = *this - other; }
  friend Cents operator+(Cents a, Cents b);
  friend Cents operator-(Cents a, Cents b);
  friend Cents operator*(Cents price, std::int64_t count);
  friend Cents operator*(std::int64_t count, Cents price) { return price * count; }

 private:
  std::int64_t value_ = 0;
};

// A percentage of 1 to 100 with up to two decimals, held as hundredths of a percent so that shares are exact.
struct Percent {
  std::int64_t hundredths = 100;

  auto operator<=>(const Percent&) const = default;
};

// A rounded share and the part that was rounded away: exact × 10,000 = 10,000 × cents + rest.
struct Share {
  Cents cents;
  std::int64_t rest_ten_thousandths = 0;  // of a cent; negative when it was rounded up
};

// Rounds half up, with integer arithmetic.
Share share_of(Cents amount, Percent percent);

// `12.5`, `10`, `33.33`
std::string to_string(Percent percent);

}  // namespace guildhall
