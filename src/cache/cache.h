#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/task.h"

namespace guildhall {

// Short-lived shared state: sessions, one-time tokens, windows, locks. Nothing here is the only copy of
// anything that matters. Every call throws Failure unavailable when the cache is down or slow; a write may
// have happened then. The texts passed must live until the task ends, as they do in `co_await cache.get(…)`.
// A value, a counter and a lock share one space of keys: remove() also resets a counter, and get() reads one.
class Cache {
 public:
  struct Window {
    std::int64_t count;                   // this call included
    std::chrono::milliseconds resets_in;  // until the window ends
  };

  virtual ~Cache() = default;
  virtual Task<std::optional<std::string>> get(std::string_view key) = 0;
  virtual Task<> put(std::string_view key, std::string_view value, std::chrono::milliseconds ttl) = 0;
  virtual Task<> remove(std::string_view key) = 0;

  // Puts the value if the present one is `expected`, or if there is none and nothing is expected; tells whether it did.
  // Without a ttl the value expires when the present one would have; that needs an expected value.
  virtual Task<bool> replace(std::string_view key, std::optional<std::string_view> expected, std::string_view value,
                             std::optional<std::chrono::milliseconds> ttl) = 0;

  // Gets and removes in one step: of many callers, one gets the value.
  virtual Task<std::optional<std::string>> take(std::string_view key) = 0;

  // Counts one more in a fixed window that starts with the first call.
  virtual Task<Window> count(std::string_view key, std::chrono::milliseconds window) = 0;

  // Takes one count back; the window's end stays. Does nothing when the window has ended.
  virtual Task<> uncount(std::string_view key) = 0;

  // True for the one owner that gets it; it frees itself after the ttl. Only its owner can unlock it.
  virtual Task<bool> lock(std::string_view key, std::string_view owner, std::chrono::milliseconds ttl) = 0;
  virtual Task<> unlock(std::string_view key, std::string_view owner) = 0;
};

// A cache engine of this process.
class CacheEngine {
 public:
  virtual ~CacheEngine() = default;

  // A loop's own handle; must not outlive the engine or the loop.
  virtual std::unique_ptr<Cache> open(boost::asio::io_context& loop) = 0;

  // Throws with a sentence for the operator when the engine does not answer. Blocking; never from a loop.
  virtual void check() = 0;
  virtual std::string name() const = 0;  // "memory" or "redis"
};

struct CacheOptions {
  std::string url;                   // memory: or redis://[[user]:password@]host[:port][/db]
  std::string keep_file;             // memory only: loaded at start and saved by the destructor, so that a restart
                                     // signs nobody out; empty: nothing is kept
  std::size_t bytes_max = 64 << 20;  // memory only: a fixed share of it is for each kind of key (memory_store.h)
  std::chrono::milliseconds reply_within{50};  // redis only: a slower reply is Failure unavailable
};

// Throws std::runtime_error with a sentence for the operator when the URL is wrong. Does not wait for a
// server.
std::unique_ptr<CacheEngine> open_cache(const CacheOptions& options);

}  // namespace guildhall
