#include "features/identity/lockout.h"

#include "base/address.h"
#include "base/crypto.h"
#include "base/encoding.h"
#include "base/failure.h"
#include "base/text.h"
#include "cache/cache.h"

namespace guildhall {
namespace {

// Hashed, since a username may be long and need not be readable in the cache. Folded, since usernames are compared
// without case.
Lockout::Attempt attempt_of(const Lockout::Guess& guess) {
  const std::string name = fmt::format("{}\n{}", counted_address(guess.address), folded(guess.username));
  const std::string pair = base64url(sha256(name));
  return {.attempts_key = "signin:attempts:" + pair,
          .failures_key = "signin:failures:" + pair,
          .lock_key = "signin:locked:" + pair,
          .account_key = "signin:account:" + base64url(sha256(fmt::format("{}\n{}", guess.tenant, name)))};
}

}  // namespace

Task<std::optional<Lockout::Attempt>> Lockout::begin(const Guess& guess) {
  const Attempt attempt = attempt_of(guess);
  if (co_await cache_.get(attempt.lock_key)) co_return std::nullopt;
  const Cache::Window attempts = co_await cache_.count(attempt.attempts_key, window);
  // The lock is read again: since the first time it may have been set and the attempts removed.
  const bool locked = (co_await cache_.get(attempt.lock_key)).has_value();
  if (attempts.count <= failures_max && !locked) co_return attempt;
  co_await withdrawn(attempt);
  if (!locked) throw unavailable("Other sign-ins with this name are being checked. Try again.");
  co_return std::nullopt;
}

Task<> Lockout::failed(const Attempt& attempt) {
  co_await cache_.count(attempt.account_key, window);
  const Cache::Window failures = co_await cache_.count(attempt.failures_key, window);
  if (failures.count < failures_max) co_return;
  co_await cache_.put(attempt.lock_key, "1", window);
  co_await cache_.remove(attempt.failures_key);
  co_await cache_.remove(attempt.attempts_key);
}

// Failures of the same username in other tenants stay counted: otherwise a guesser could forget them by signing in to
// a tenant of their own.
Task<> Lockout::succeeded(const Attempt& attempt) {
  const auto failures = co_await cache_.take(attempt.account_key);
  co_await withdrawn(attempt);
  for (std::int64_t left = failures ? std::stoll(*failures) : 0; left > 0; --left) {
    co_await cache_.uncount(attempt.failures_key);
    co_await cache_.uncount(attempt.attempts_key);
  }
}

Task<> Lockout::withdrawn(const Attempt& attempt) {
  co_await cache_.uncount(attempt.attempts_key);
}

Task<> Lockout::unlock(const Guess& guess) {
  const Attempt attempt = attempt_of(guess);
  for (const std::string& key : {attempt.account_key, attempt.failures_key, attempt.attempts_key, attempt.lock_key}) {
    co_await cache_.remove(key);
  }
}

Task<bool> Lockout::check(Guess guess, std::function<Task<bool>()> is_right) {
  const auto attempt = co_await begin(guess);
  if (!attempt) co_return false;
  bool right = false;
  std::exception_ptr unchecked;
  try {
    right = co_await is_right();
  } catch (...) {
    unchecked = std::current_exception();
  }
  if (unchecked) {
    co_await best_effort(withdrawn(*attempt));
    std::rethrow_exception(unchecked);
  }
  co_await best_effort(right ? succeeded(*attempt) : failed(*attempt));
  co_return right;
}

}  // namespace guildhall
