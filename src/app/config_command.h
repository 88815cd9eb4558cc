#pragma once

#include <iosfwd>

#include "base/config.h"

namespace guildhall {

// `guildhall config`: prints every variable with its masked value, then every problem and every variable that looks
// misspelt. Returns false when a value is wrong, so that the server would not start.
bool show_config(const Environment& environment, const std::vector<std::string>& names, bool as_json,
                 std::ostream& out);

}  // namespace guildhall
