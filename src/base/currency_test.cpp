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

}  // namespace
}  // namespace guildhall
