#include "base/money_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/decimal.h"

namespace guildhall {
namespace {

constexpr std::string_view no_break_space = "\u00a0", thin_space = "\u202f";

struct Symbol {
  std::string_view code, text;
};

// The symbols of Unicode's CLDR for English, which the console's browser uses as well.
constexpr std::array symbols{Symbol{"USD", "$"},   Symbol{"EUR", "€"},   Symbol{"GBP", "£"},   Symbol{"JPY", "¥"},
                             Symbol{"INR", "₹"},   Symbol{"KRW", "₩"},   Symbol{"ILS", "₪"},   Symbol{"VND", "₫"},
                             Symbol{"PHP", "₱"},   Symbol{"BRL", "R$"},  Symbol{"CAD", "CA$"}, Symbol{"AUD", "A$"},
                             Symbol{"NZD", "NZ$"}, Symbol{"MXN", "MX$"}, Symbol{"CNY", "CN¥"}, Symbol{"HKD", "HK$"},
                             Symbol{"TWD", "NT$"}};

struct Pattern {
  std::string_view group, point;
  enum { before, before_with_space, after } symbol;
};

// By the language, the part of the locale before the '-'.
Pattern pattern_of(std::string_view locale) {
  const std::string_view language = locale.substr(0, locale.find('-'));
  const auto is_one_of = [&](std::initializer_list<std::string_view> languages) {
    return std::find(languages.begin(), languages.end(), language) != languages.end();
  };
  if (locale == "es-419") return {",", ".", Pattern::before};
  if (locale == "pt-BR" || is_one_of({"nl", "id"})) return {".", ",", Pattern::before_with_space};
  if (language == "tr") return {".", ",", Pattern::before};
  if (is_one_of({"de", "es", "it", "da", "pt", "el", "ro", "hr", "vi"})) return {".", ",", Pattern::after};
  if (is_one_of({"fr", "ru", "uk", "cs", "pl", "fi", "sv", "no", "bg", "hu", "lt"})) {
    return {thin_space, ",", Pattern::after};
  }
  return {",", ".", Pattern::before};
}

std::string grouped(std::string_view digits, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += separator;
    out += digits[i];
  }
  return out;
}

}  // namespace

std::string money_text(Cents amount, Currency currency, std::string_view locale) {
  const Pattern pattern = pattern_of(locale);
  const std::string plain = decimal_text(amount, currency);
  const std::size_t point = plain.find('.');
  std::string number = grouped(std::string_view(plain).substr(0, point), pattern.group);
  if (point != std::string::npos) number.append(pattern.point).append(plain, point + 1);

  const auto* const known =
      std::find_if(symbols.begin(), symbols.end(), [&](const Symbol& each) { return each.code == currency.code(); });
  const bool is_code = known == symbols.end();
  const std::string_view symbol = is_code ? currency.code() : known->text;
  if (pattern.symbol == Pattern::after) return fmt::format("{}{}{}", number, no_break_space, symbol);
  const bool has_space = is_code || pattern.symbol == Pattern::before_with_space;
  return fmt::format("{}{}{}", symbol, has_space ? no_break_space : "", number);
}

}  // namespace guildhall
