#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cache/cache.h"

namespace guildhall {

// Limits guessing of passwords: five failures within fifteen minutes for one username from one address lock that pair
// for fifteen minutes. The configuration cannot switch it off. Without the cache nobody can sign in, since sessions are
// stored there, so no password can be guessed either.
class Lockout {
 public:
  static constexpr std::int64_t failures_max = 5;
  static constexpr std::chrono::minutes window{15};

  explicit Lockout(Cache& cache) : cache_(cache) {}

  // The cache keys of one pair.
  struct Attempt {
    std::string attempts_key;  // counts failures and running attempts, so that parallel attempts are limited, too
    std::string failures_key;
    std::string lock_key;
  };

  // Admits an attempt before the password is checked, if fewer than five have failed or are running. Nothing if the
  // pair is locked. Every admitted attempt must end with a call of one of the next three functions.
  Task<std::optional<Attempt>> begin(std::string_view username, std::string_view address);
  Task<> failed(const Attempt& attempt);
  Task<> succeeded(const Attempt& attempt);
  Task<> withdrawn(const Attempt& attempt);  // the password was not checked, so the attempt does not count

  // Ends the lock of the pair and forgets its failures. For the command line.
  Task<> unlock(std::string_view username, std::string_view address);

  // Runs the check of a guess as such an attempt. Returns false, also without the check if the pair is locked.
  Task<bool> guess(std::string username, std::string_view address, std::function<Task<bool>()> check);

 private:
  Cache& cache_;
};

}  // namespace guildhall
