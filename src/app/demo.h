#pragma once

#include "app/config.h"

namespace guildhall {

// Fills the default tenant with something to look at. Running it again changes nothing.
void fill_demo_shop(const Config& config);

}  // namespace guildhall
