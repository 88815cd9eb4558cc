#pragma once

#include <chrono>

#include "base/task.h"

namespace guildhall {

// Lets the loop do something else for a while.
Task<> pause_for(std::chrono::milliseconds time);

}  // namespace guildhall
