#pragma once

#include <string>
#include <string_view>

#include "base/currency.h"

namespace guildhall {

// An amount as people read it in the bot, in mails, on pages and in the console: `€1,234.50` to an English reader,
// `1.234,50 €` to a German one, `SEK 1,234.50` for a currency without a well-known symbol. A language that is not known
// is written as English.
std::string money_text(Cents amount, Currency currency, std::string_view locale = "en");

}  // namespace guildhall
