#pragma once

#include <string>

#include "base/instant.h"
#include "base/money_text.h"

// Formats dates for a member; base/money_text.h formats amounts.
namespace guildhall::chat {

// The platform's mark-up for a time. Each client shows it in its reader's language and time zone.
std::string date_text(Instant instant);

}  // namespace guildhall::chat
