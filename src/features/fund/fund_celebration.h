#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "features/fund/fund_ledger.h"

// The message that thanks for a contribution. Pure.
namespace guildhall {

// A name as plain text in a chat message: it can neither mention anybody, nor format, link or hide anything, whatever
// it consists of. Control and invisible characters are gone, a long one is cut.
std::string plain_in_chat(std::string_view name);

// From the configured template; the donor's name is used only if the contribution is not anonymous.
std::string celebration(const FundConfig& config, const LedgerEntry& contribution, std::string_view donor_name);

}  // namespace guildhall
