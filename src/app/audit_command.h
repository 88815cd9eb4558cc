#pragma once

#include <string>

#include "base/config.h"

namespace guildhall {

// `guildhall audit verify`: recomputes the hash chain of one tenant, or of all (empty), and prints a line for each.
// Returns the number of chains that do not hold.
int verify_audit_trail(const Config& config, const std::string& tenant);

}  // namespace guildhall
