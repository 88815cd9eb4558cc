#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cache/cache.h"

namespace guildhall {

// Limits guessing of passwords: five failures within fifteen minutes for one username from one address lock that pair
// for fifteen minutes, whatever the tenant. The configuration cannot switch it off. Without the cache nobody can sign
// in, since sessions are stored there, so no password can be guessed either.
class Lockout {
 public:
  static constexpr std::int64_t failures_max = 5;
  static constexpr std::chrono::minutes window{15};

  explicit Lockout(Cache& cache) : cache_(cache) {}

  // An attempt to sign in: its account and its address. The same username in another tenant is another account.
  struct Guess {
    std::string_view tenant;  // empty for an account of the whole installation
    std::string_view username;
    std::string_view address;
  };

  // The cache keys of a guess. All but the last belong to the pair of username and address.
  struct Attempt {
    std::string attempts_key;  // counts failures and running attempts, so that parallel attempts are limited, too
    std::string failures_key;
    std::string lock_key;
    std::string account_key;  // counts the failures of this account: its success forgets only these
  };

  // Admits an attempt before the password is checked. Returns nothing if the pair is locked. Throws Failure unavailable
  // if five attempts have failed or are running: whether the pair will be locked is not known yet. Every admitted
  // attempt must end with a call of one of the next three functions.
  Task<std::optional<Attempt>> begin(const Guess& guess);
  Task<> failed(const Attempt& attempt);
  Task<> succeeded(const Attempt& attempt);
  Task<> withdrawn(const Attempt& attempt);  // the password was not checked, so the attempt does not count

  // Ends the lock of the pair and forgets its failures. For the command line.
  Task<> unlock(const Guess& guess);

  // Runs the check of a guess as such an attempt. Returns false, also without the check if the pair is locked.
  Task<bool> check(Guess guess, std::function<Task<bool>()> is_right);

 private:
  Cache& cache_;
};

}  // namespace guildhall
