#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/task.h"

namespace guildhall {

class Metrics;

// Short-lived shared state: sessions, one-time tokens, counters of rate limits, locks. It never holds the only copy of
// data that must not be lost. Every call throws Failure unavailable when the cache is down or slow; a write may have
// taken effect in that case. The texts passed must be valid until the task ends, as they are in `co_await
// cache.get(…)`. Values, counters and locks share one set of keys: remove() also resets a counter, and get() reads one.
class Cache {
 public:
  struct Window {
    std::int64_t count;                   // including this call
    std::chrono::milliseconds resets_in;  // the time until the window ends
  };

  virtual ~Cache() = default;
  virtual Task<std::optional<std::string>> get(std::string_view key) = 0;

  // Like get(), but may return a copy of at most a second ago, which saves a round trip. Copies of a changed value are
  // dropped in every process; wait_until_reported() returns after the reports of all changes of this handle have been
  // sent to them.
  virtual Task<std::optional<std::string>> get_or_copy(std::string_view key) { return get(key); }
  virtual Task<> wait_until_reported() { co_return; }

  virtual Task<> put(std::string_view key, std::string_view value, std::chrono::milliseconds ttl) = 0;
  virtual Task<> remove(std::string_view key) = 0;

  // Writes the value if the present one equals `expected`, or if both are absent. Returns whether it did. The
  // ttl may be absent only with an expected value; then the new value expires when the present one would have.
  virtual Task<bool> replace(std::string_view key, std::optional<std::string_view> expected, std::string_view value,
                             std::optional<std::chrono::milliseconds> ttl) = 0;

  // Reads and removes a value in one step: of many concurrent callers, only one receives it.
  virtual Task<std::optional<std::string>> take(std::string_view key) = 0;

  // Adds to a counter whose fixed window starts with the first call.
  virtual Task<Window> count(std::string_view key, std::chrono::milliseconds window, std::int64_t by = 1) = 0;

  // Takes from a counter without changing the end of its window. Does nothing when the window has ended.
  virtual Task<> uncount(std::string_view key, std::int64_t by = 1) = 0;

  // Returns true if the owner has acquired the lock. It is released after the ttl; only its owner can release it
  // earlier.
  virtual Task<bool> lock(std::string_view key, std::string_view owner, std::chrono::milliseconds ttl) = 0;
  virtual Task<> unlock(std::string_view key, std::string_view owner) = 0;
};

// A cache engine of this process.
class CacheEngine {
 public:
  virtual ~CacheEngine() = default;

  // Opens a loop's own handle, which must not outlive the engine or the loop.
  virtual std::unique_ptr<Cache> open(boost::asio::io_context& loop) = 0;

  // Throws an exception with a sentence for the operator when the engine does not answer. Blocks; never call it
  // from a loop.
  virtual void check() = 0;
  virtual std::string name() const = 0;  // "memory" or "redis"
};

struct CacheOptions {
  std::string url;                   // memory: or redis://[[user]:password@]host[:port][/db]
  std::string keep_file;             // memory only: loaded at start and saved by the destructor, so that sessions
                                     // survive a restart; if empty, nothing is saved
  std::size_t bytes_max = 64 << 20;  // memory only: each kind of key has a fixed share of it (memory_store.h)
  std::chrono::milliseconds reply_within{50};  // redis only: a slower reply counts as Failure unavailable
  Metrics* metrics = nullptr;                  // redis only: the times of commands and the failures are shown there
};

// Throws std::runtime_error with a sentence for the operator when the URL is wrong. Does not wait for a
// server.
std::unique_ptr<CacheEngine> open_cache(const CacheOptions& options);

// Awaits a cache operation that the request can do without (refreshing, indexing, cleaning up). When the cache is
// unavailable it logs a warning and returns, so that a request that is otherwise allowed does not fail.
Task<> best_effort(Task<> operation);

enum class CacheState {
  ok,
  read_only,  // it answers but refuses writes, as a full Redis with the policy `noeviction` does
  down,       // it does not answer, or not in time
};

// Checks the cache with a small write, and with a read when that fails. Never throws.
Task<CacheState> probe(Cache& cache);

}  // namespace guildhall
