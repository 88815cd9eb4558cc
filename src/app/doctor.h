#pragma once

#include "app/findings.h"
#include "base/config.h"

namespace guildhall {

// `guildhall doctor`: checks configuration, database, master key, cache, disk, descriptors and clock. It creates,
// changes and locks nothing, so it may run beside a server. `names` are the environment's variables.
Findings run_doctor(const Environment& environment, const std::vector<std::string>& names);

}  // namespace guildhall
