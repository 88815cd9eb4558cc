#include "base/currency.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(Currency, knows_active_codes_and_their_minor_units) {
  const std::vector<std::pair<const char*, int>> rows{
      {"USD", 2}, {"EUR", 2}, {"GBP", 2}, {"JPY", 0}, {"KRW", 0}, {"KWD", 3}, {"BHD", 3}, {"CLF", 4}, {"UYW", 4},
      {"AED", 2}, {"ZWG", 2}, {"XCG", 2}, {"VED", 2}, {"SLE", 2}, {"XOF", 0}, {"CHE", 2}, {"IQD", 3}, {"ISK", 0},
  };
  for (const auto& [code, minor_units] : rows) {
    const auto currency = Currency::parse(code);
    ASSERT_TRUE(currency) << code;
    EXPECT_EQ(currency->code(), code);
    EXPECT_EQ(currency->minor_units(), minor_units) << code;
  }
}

TEST(Currency, refuses_everything_else) {
  for (const char* text : {"",    "US",  "USDX", "usd", "Usd", " USD", "USD ", "ABC", "ZZZ", "AAA", "$",  "840",
                           "DEM", "HRK", "BGN",  "ANG", "ZWL", "SLL",  "CUC",  "XAU", "XDR", "XTS", "XXX"}) {
    EXPECT_FALSE(Currency::parse(text)) << text;
  }
  EXPECT_FALSE(Currency::parse(std::string_view("US\0", 3)));
}

TEST(Currency, is_the_dollar_by_default) {
  EXPECT_EQ(Currency(), Currency::parse("USD"));
  EXPECT_NE(Currency(), Currency::parse("EUR"));
}

TEST(FormatMoney, writes_amounts_for_people) {
  struct Row {
    std::int64_t amount;
    const char* code;
    const char* expected;
  };
  const std::vector<Row> rows{
      {0, "USD", "0.00 USD"},
      {5, "USD", "0.05 USD"},
      {99, "EUR", "0.99 EUR"},
      {1234, "USD", "12.34 USD"},
      {99'999, "USD", "999.99 USD"},
      {123'450, "USD", "1,234.50 USD"},
      {100'000'000, "USD", "1,000,000.00 USD"},
      {0, "JPY", "0 JPY"},
      {500, "JPY", "500 JPY"},
      {1'000, "JPY", "1,000 JPY"},
      {1'234, "KWD", "1.234 KWD"},
      {7, "KWD", "0.007 KWD"},
      {12'345, "CLF", "1.2345 CLF"},
      {Cents::value_max, "USD", "90,071,992,547,409.91 USD"},
  };
  for (const auto& [amount, code, expected] : rows) {
    EXPECT_EQ(format_money(Cents(amount), *Currency::parse(code)), expected);
  }
}

}  // namespace
}  // namespace guildhall
