#pragma once

#include <chrono>
#include <optional>
#include <thread>

#include "base/failure.h"
#include "base/task.h"
#include "support/eventually.h"

namespace guildhall::test {

// Returns the result of the task, or nothing when it ended with Failure unavailable. The exception is handled on its
// loop: when two threads share one, the thread sanitizer reports a race, because it does not see how the standard
// library counts the owners.
template <class T>
Task<std::optional<T>> if_available(Task<T> task) {
  try {
    co_return co_await std::move(task);
  } catch (const Failure& failure) {
    if (failure.kind != Failure::Kind::unavailable) throw;
  }
  co_return std::nullopt;
}

inline Task<bool> is_available(Task<> task) {
  try {
    co_await std::move(task);
    co_return true;
  } catch (const Failure& failure) {
    if (failure.kind != Failure::Kind::unavailable) throw;
  }
  co_return false;
}

}  // namespace guildhall::test
