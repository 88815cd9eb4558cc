#include "base/decimal.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(Decimal, writes_all_digits_of_the_currency) {
  const struct {
    std::int64_t cents;
    const char* currency;
    const char* text;
  } rows[] = {{4900, "USD", "49.00"}, {5, "USD", "0.05"},     {0, "USD", "0.00"},
              {500, "JPY", "500"},    {1234, "KWD", "1.234"}, {7, "KWD", "0.007"}};
  for (const auto& row : rows) {
    EXPECT_EQ(decimal_text(Cents(row.cents), *Currency::parse(row.currency)), row.text);
    EXPECT_EQ(parse_decimal(row.text, *Currency::parse(row.currency)), Cents(row.cents));
  }
}

TEST(Decimal, reads_what_processors_write) {
  const Currency usd;
  EXPECT_EQ(parse_decimal("49", usd), Cents(4900));
  EXPECT_EQ(parse_decimal("49.5", usd), Cents(4950));
  EXPECT_EQ(parse_decimal("49.000000", usd), Cents(4900));
  EXPECT_EQ(parse_decimal("48.999999", usd), Cents(4899));
  EXPECT_EQ(parse_decimal("0049.00", usd), Cents(4900));
  EXPECT_EQ(parse_decimal("90071992547409.91", usd), Cents(Cents::value_max));
}

TEST(Decimal, refuses_everything_else) {
  for (const char* text : {"", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", "1.2.3", " 1", "1 ", "NaN", "0x1",
                           "90071992547409.92", "99999999999999999999999999"}) {
    EXPECT_FALSE(parse_decimal(text, Currency())) << text;
  }
}

}  // namespace
}  // namespace guildhall
