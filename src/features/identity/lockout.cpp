#include "features/identity/lockout.h"

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/text.h"
#include "cache/cache.h"

namespace guildhall {
namespace {

// Hashed, since a username may be long and need not be readable in the cache. Folded, since usernames are compared
// without case.
Lockout::Attempt attempt_of(std::string_view username, std::string_view address) {
  const std::string pair = base64url(sha256(fmt::format("{}\n{}", address, folded(username))));
  return {.attempts_key = "signin:attempts:" + pair,
          .failures_key = "signin:failures:" + pair,
          .lock_key = "signin:locked:" + pair};
}

}  // namespace

Task<std::optional<Lockout::Attempt>> Lockout::begin(std::string_view username, std::string_view address) {
  const Attempt attempt = attempt_of(username, address);
  if (co_await cache_.get(attempt.lock_key)) co_return std::nullopt;
  const Cache::Window attempts = co_await cache_.count(attempt.attempts_key, window);
  // The lock is read again: since the first time it may have been set and the attempts removed.
  if (attempts.count <= failures_max && !co_await cache_.get(attempt.lock_key)) co_return attempt;
  co_await withdrawn(attempt);
  co_return std::nullopt;
}

Task<> Lockout::failed(const Attempt& attempt) {
  const Cache::Window failures = co_await cache_.count(attempt.failures_key, window);
  if (failures.count < failures_max) co_return;
  co_await cache_.put(attempt.lock_key, "1", window);
  co_await cache_.remove(attempt.failures_key);
  co_await cache_.remove(attempt.attempts_key);
}

Task<> Lockout::succeeded(const Attempt& attempt) {
  co_await cache_.remove(attempt.failures_key);
  co_await cache_.remove(attempt.attempts_key);
}

Task<> Lockout::withdrawn(const Attempt& attempt) {
  co_await cache_.uncount(attempt.attempts_key);
}

Task<> Lockout::unlock(std::string_view username, std::string_view address) {
  const Attempt attempt = attempt_of(username, address);
  co_await succeeded(attempt);
  co_await cache_.remove(attempt.lock_key);
}

Task<bool> Lockout::guess(std::string username, std::string_view address, std::function<Task<bool>()> check) {
  const auto attempt = co_await begin(username, address);
  if (!attempt) co_return false;
  bool right = false;
  std::exception_ptr unchecked;
  try {
    right = co_await check();
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
