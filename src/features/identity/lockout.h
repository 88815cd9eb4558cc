#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cache/cache.h"

namespace guildhall {

// Guessing is slowed down: five failures within fifteen minutes for one username from one address lock that pair
// for fifteen minutes. Without the cache nobody signs in (there would be no session to give), so nothing is guessed
// either.
class Lockout {
 public:
  static constexpr std::int64_t failures_max = 5;
  static constexpr std::chrono::minutes window{15};

  explicit Lockout(Cache& cache) : cache_(cache) {}

  struct Attempt {
    std::string attempts_key;
    std::string lock_key;
    std::int64_t number;
  };

  // Counts an attempt before the password is looked at, so that many at once cannot slip through. Nothing: locked.
  Task<std::optional<Attempt>> begin(std::string_view username, std::string_view address);
  Task<> failed(const Attempt& attempt);
  Task<> succeeded(const Attempt& attempt);

 private:
  Cache& cache_;
};

}  // namespace guildhall
