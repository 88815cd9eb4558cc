#pragma once

#include <array>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cache/cache.h"

namespace guildhall {

// The store of the memory cache: texts that expire, shared by all threads. Counters and locks are stored as text (a
// decimal number, the owner), as they are in Redis, so that both engines give the same results when one key is used in
// two ways.
//
// Each kind of key (sessions, counted sign-ins, rate limits …) has a fixed share of the size limit. Above it, the
// entries of that kind that expire first are removed, so that many entries of one kind never remove those of another.
// The keys of a kind are distributed over shards, each with its own mutex. A shard keeps its entries in the order in
// which they expire: entries are always removed from the front, so that no operation scans the shard.
class MemoryStore {
 public:
  explicit MemoryStore(std::size_t bytes_max);

  std::optional<std::string> get(std::string_view key);
  void put(std::string_view key, std::string_view value, std::chrono::milliseconds ttl);
  bool replace(std::string_view key, std::optional<std::string_view> expected, std::string_view value,
               std::optional<std::chrono::milliseconds> ttl);
  void remove(std::string_view key);
  std::optional<std::string> take(std::string_view key);
  Cache::Window count(std::string_view key, std::chrono::milliseconds window, std::int64_t by = 1);
  void uncount(std::string_view key, std::int64_t by = 1);
  bool lock(std::string_view key, std::string_view owner, std::chrono::milliseconds ttl);
  void unlock(std::string_view key, std::string_view owner);

  struct Kept {
    std::string key;
    std::string value;
    std::chrono::milliseconds left;
  };
  std::vector<Kept> kept() const;  // all entries that have not expired

  std::size_t bytes() const;  // an estimate that includes the overhead of the entries

 private:
  using Clock = std::chrono::steady_clock;
  using Order = std::multimap<Clock::time_point, const std::string*>;  // points to the key of the entry

  struct Entry {
    std::string value;
    Order::iterator place;
  };

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Entries = std::unordered_map<std::string, Entry, Hash, std::equal_to<>>;

  struct alignas(64) Shard {
    mutable std::mutex mutex;
    Entries entries;
    Order order;
    std::size_t bytes = 0;
    std::size_t bytes_max = 0;

    Entries::iterator find_live(std::string_view key, Clock::time_point now);
    void set(std::string_view key, std::string_view value, Clock::time_point expires);
    void replace_value(Entry& entry, std::string value);
    void erase(Entries::iterator entry);
    void sweep(Clock::time_point now);
  };

  static constexpr std::size_t kind_count = 5;
  static constexpr std::size_t shards_per_kind = 16;

  Shard& shard_of(std::string_view key);

  std::array<Shard, kind_count * shards_per_kind> shards_;  // the shards of one kind are adjacent
};

}  // namespace guildhall
