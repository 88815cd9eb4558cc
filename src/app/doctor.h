#pragma once

#include "base/config.h"

namespace guildhall {

// Checks what a server needs and prints, line by line, what is well and what to do about what is not. Returns the
// number of things that would keep it from serving.
int run_doctor(const Environment& environment);

}  // namespace guildhall
