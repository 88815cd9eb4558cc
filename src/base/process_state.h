#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/config.h"
#include "base/instant.h"

namespace guildhall {

// Facts about the whole process.
struct ProcessState {
  Instant started;
  std::span<const Variable> variables;  // that /info lists
  std::atomic<bool> draining = false;   // after SIGTERM: /readyz answers 503, so that balancers send no more requests
  std::function<std::vector<std::string>()> present_warnings{};  // warnings that apply only at the moment of the call
};

}  // namespace guildhall
