#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cache/cache.h"

namespace guildhall {

// Slows guessing down: five failures within fifteen minutes for one username from one address lock that pair for
// fifteen minutes. The configuration cannot switch it off. Without the cache nobody signs in (there would be no session
// to give), so nothing is guessed either.
class Lockout {
 public:
  static constexpr std::int64_t failures_max = 5;
  static constexpr std::chrono::minutes window{15};

  explicit Lockout(Cache& cache) : cache_(cache) {}

  // The cache keys of one pair.
  struct Attempt {
    std::string attempts_key;  // counts failures and attempts under way, so that many at once cannot slip through
    std::string failures_key;
    std::string lock_key;
  };

  // Admits an attempt before the password is looked at: at most five that have failed or are under way. Nothing: the
  // pair is locked. Every attempt that was admitted ends with one of the three below.
  Task<std::optional<Attempt>> begin(std::string_view username, std::string_view address);
  Task<> failed(const Attempt& attempt);
  Task<> succeeded(const Attempt& attempt);
  Task<> withdrawn(const Attempt& attempt);  // the password was never checked: this was not an attempt

 private:
  Cache& cache_;
};

}  // namespace guildhall
