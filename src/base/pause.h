#pragma once

#include <chrono>

#include "base/task.h"

namespace guildhall {

// Suspends the calling coroutine for the time. The loop runs other work meanwhile.
Task<> pause_for(std::chrono::milliseconds time);

}  // namespace guildhall
