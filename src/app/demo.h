#pragma once

#include "app/config.h"

namespace guildhall {

// Adds sample customers, products and a payment method to the default tenant. Running it again changes nothing.
void fill_demo_shop(const Config& config);

}  // namespace guildhall
