#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/currency.h"

// Amounts as other systems write them: decimal text in major units. Integers all the way, never floating point.
namespace guildhall {

// `49.00`, `500` (JPY), `1.234` (KWD): always with all of the currency's digits.
std::string decimal_text(Cents amount, Currency currency);

// Digits past the currency's last are cut: nobody is credited with more than came. Nothing for a sign, an exponent,
// anything else that is not a plain decimal, or an amount out of range.
std::optional<Cents> parse_decimal(std::string_view text, Currency currency);

}  // namespace guildhall
