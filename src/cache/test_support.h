#pragma once

#include <chrono>
#include <optional>
#include <thread>

#include "base/failure.h"
#include "base/task.h"

namespace guildhall::test {

// Waits for what other threads, time or a server will bring about.
template <class Condition>
bool eventually(Condition condition) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > give_up) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

// The result, or nothing when the task ended with Failure unavailable. The exception stays on its loop: one shared by
// two threads looks like a race to the thread checker, which does not see the standard library count its owners.
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
