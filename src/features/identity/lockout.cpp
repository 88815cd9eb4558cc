#include "features/identity/lockout.h"

#include "base/crypto.h"
#include "base/encoding.h"

namespace guildhall {

Task<std::optional<Lockout::Attempt>> Lockout::begin(std::string_view username, std::string_view address) {
  // Hashed: a username may be anything, and the cache need not know it.
  const std::string pair = base64url(sha256(fmt::format("{}\n{}", address, username)));
  Attempt attempt{.attempts_key = "signin:attempts:" + pair, .lock_key = "signin:locked:" + pair, .number = 0};
  if (co_await cache_.get(attempt.lock_key)) co_return std::nullopt;
  attempt.number = (co_await cache_.count(attempt.attempts_key, window)).count;
  if (attempt.number > failures_max) co_return std::nullopt;
  co_return attempt;
}

Task<> Lockout::failed(const Attempt& attempt) {
  if (attempt.number < failures_max) co_return;
  co_await cache_.put(attempt.lock_key, "1", window);
  co_await cache_.remove(attempt.attempts_key);
}

Task<> Lockout::succeeded(const Attempt& attempt) {
  co_await cache_.remove(attempt.attempts_key);
}

}  // namespace guildhall
