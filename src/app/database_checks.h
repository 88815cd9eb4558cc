#pragma once

#include "app/config.h"
#include "app/findings.h"

namespace guildhall {

// Doctor's checks of the database: that it answers, that its schema fits this program, that the master key is the one
// it was used with, and that its clock agrees with this machine's. They only read.
void check_database(const Config& config, Findings& findings);

}  // namespace guildhall
