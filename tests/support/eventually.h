#pragma once

#include <chrono>
#include <thread>

namespace guildhall::test {

// Waits until a condition holds. Returns false if it does not within a minute.
template <class Condition>
bool eventually(Condition condition) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > give_up) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace guildhall::test
