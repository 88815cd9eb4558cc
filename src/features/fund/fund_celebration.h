#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "features/fund/fund_ledger.h"

// The chat message that thanks for a contribution. Pure.
namespace guildhall {

// Makes a name plain text in a chat message: it cannot mention anybody, format, link or hide anything. Control and
// invisible characters are removed, and a long name is cut.
std::string plain_in_chat(std::string_view name);

// Fills the configured template. The donor's name is used only if the contribution is not anonymous.
std::string celebration(const FundConfig& config, const LedgerEntry& contribution, std::string_view donor_name);

}  // namespace guildhall
