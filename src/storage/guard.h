#pragma once

#include <string>
#include <string_view>

namespace guildhall {

// A condition of a writing statement that alone prevents a race from breaking a rule. The controls of the race tests
// are built without these conditions, to show that the tests fail when one is missing.
[[maybe_unused]] static std::string guard([[maybe_unused]] std::string_view condition) {
#ifdef GUILDHALL_WITHOUT_GUARDS
  return {};
#else
  return std::string(condition);
#endif
}

}  // namespace guildhall
