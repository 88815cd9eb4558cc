#pragma once

#include <string>
#include <string_view>

#include "base/currency.h"
#include "base/instant.h"

// How amounts and dates are written for a member.
namespace guildhall::chat {

// `1,234.50 USD` to an English reader, `1.234,50 USD` to a German one, `1 234,50 USD` to a French one.
std::string money_text(Cents amount, Currency currency, std::string_view locale);

// The platform's own mark-up, which every reader's client shows in their language and zone.
std::string date_text(Instant instant);

}  // namespace guildhall::chat
