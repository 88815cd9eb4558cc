#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/currency.h"

// Amounts in the form that other systems use: decimal text in major units. All arithmetic is done with integers.
namespace guildhall {

// `49.00`, `500` (JPY), `1.234` (KWD): always with all of the currency's digits.
std::string decimal_text(Cents amount, Currency currency);

// Digits beyond the currency's minor unit are dropped, so that nobody is credited with more than was paid. Returns
// nothing for a sign, an exponent, any other text that is not a plain decimal, or an amount out of range.
std::optional<Cents> parse_decimal(std::string_view text, Currency currency);

}  // namespace guildhall
