#include "base/money.h"

#include <gtest/gtest.h>
#include <limits>

#include "base/failure.h"

namespace guildhall {
namespace {

constexpr std::int64_t most = Cents::value_max;

TEST(Cents, hold_from_zero_to_the_largest_exact_number) {
  EXPECT_EQ(Cents().value(), 0);
  EXPECT_EQ(Cents(most).value(), 9'007'199'254'740'991);
}

TEST(Cents, add_subtract_multiply_and_compare) {
  EXPECT_EQ(Cents(150) + Cents(250), Cents(400));
  EXPECT_EQ(Cents(400) - Cents(400), Cents());
  EXPECT_EQ(Cents(1999) * 3, Cents(5997));
  EXPECT_EQ(3 * Cents(1999), Cents(5997));
  EXPECT_EQ(Cents(most) * 0, Cents());
  EXPECT_LT(Cents(1), Cents(2));
  Cents sum(1);
  sum += Cents(2);
  sum -= Cents(3);
  EXPECT_EQ(sum, Cents());
}

TEST(Cents, refuse_every_result_out_of_range) {
  const std::vector<std::function<Cents()>> wrong{
      [] { return Cents(-1); },
      [] { return Cents(most + 1); },
      [] { return Cents(std::numeric_limits<std::int64_t>::min()); },
      [] { return Cents(most) + Cents(1); },
      [] { return Cents(most) + Cents(most); },
      [] { return Cents(0) - Cents(1); },
      [] { return Cents(0) - Cents(most); },
      [] { return Cents(most) * 2; },
      [] { return Cents(2) * most; },
      [] { return Cents(most) * most; },
      [] { return Cents(most) * std::numeric_limits<std::int64_t>::min(); },
      [] { return Cents(1) * -1; },
      [] { return Cents(1LL << 32) * (1LL << 32); },  // wraps to zero in 64 bits
  };
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    try {
      wrong[i]();
      FAIL() << "case " << i;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code, "AMOUNT_OUT_OF_RANGE");
      EXPECT_EQ(failure.kind, Failure::Kind::invalid);
    }
  }
}

}  // namespace
}  // namespace guildhall
