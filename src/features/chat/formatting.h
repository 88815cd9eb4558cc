#pragma once

#include <string>
#include <string_view>

#include "base/currency.h"
#include "base/instant.h"

// Formats amounts and dates for a member.
namespace guildhall::chat {

// `1,234.50 USD` to an English reader, `1.234,50 USD` to a German one, `1 234,50 USD` to a French one.
std::string money_text(Cents amount, Currency currency, std::string_view locale);

// The platform's mark-up for a time. Each client shows it in its reader's language and time zone.
std::string date_text(Instant instant);

}  // namespace guildhall::chat
