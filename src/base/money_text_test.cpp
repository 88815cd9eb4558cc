#include "base/money_text.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

struct Case {
  std::int64_t cents;
  std::string_view currency, locale, text;
};

TEST(MoneyText, has_the_symbol_and_the_minor_units_of_the_currency) {
  for (const Case& line :
       {Case{2490, "EUR", "en", "€24.90"}, Case{0, "USD", "en-GB", "$0.00"}, Case{5, "USD", "en", "$0.05"},
        Case{99, "GBP", "en", "£0.99"}, Case{123'456'750, "USD", "en-US", "$1,234,567.50"},
        Case{1000, "JPY", "ja", "¥1,000"}, Case{123'450, "SEK", "en", "SEK\u00a01,234.50"},
        Case{7, "KWD", "en", "KWD\u00a00.007"}, Case{12'345, "CLF", "en", "CLF\u00a01.2345"},
        Case{100, "CAD", "en", "CA$1.00"}, Case{Cents::value_max, "USD", "", "$90,071,992,547,409.91"}}) {
    EXPECT_EQ(money_text(Cents(line.cents), *Currency::parse(line.currency), line.locale), line.text);
  }
}

TEST(MoneyText, follows_the_language_of_the_reader) {
  for (const Case& line :
       {Case{123'450, "EUR", "de", "1.234,50\u00a0€"}, Case{123'450, "EUR", "de-AT", "1.234,50\u00a0€"},
        Case{123'450, "EUR", "fr", "1\u202f234,50\u00a0€"}, Case{123'450, "USD", "es-419", "$1,234.50"},
        Case{123'450, "USD", "es-ES", "1.234,50\u00a0$"}, Case{5, "BRL", "pt-BR", "R$\u00a00,05"},
        Case{1234, "KWD", "sv-SE", "1,234\u00a0KWD"}, Case{2490, "EUR", "nl", "€\u00a024,90"},
        Case{2490, "EUR", "xx", "€24.90"}}) {
    EXPECT_EQ(money_text(Cents(line.cents), *Currency::parse(line.currency), line.locale), line.text);
  }
}

}  // namespace
}  // namespace guildhall
