#include "cache/memory/memory_store.h"

#include <charconv>

#include "base/clock.h"
#include "base/failure.h"

namespace guildhall {
namespace {

using std::chrono::milliseconds;

// The overhead of an entry: two nodes, the bucket and the allocator's overhead, measured with keys and values of the
// size of sessions.
constexpr std::size_t entry_overhead_bytes = 256;

// A write removes up to this many expired entries: more than it adds, so that they do not accumulate, and few enough
// that no request is slow.
constexpr int swept_per_write_max = 16;

// The prefixes of the kinds of keys, and the number of eighths of the limit that each kind may use. The last kind
// contains all other keys.
struct Prefix {
  std::string_view text;
  std::size_t kind;
};
constexpr std::array prefixes{Prefix{"session:", 0}, Prefix{"sessions-of:", 0}, Prefix{"signin:", 1},
                              Prefix{"rate:", 2},    Prefix{"oauth:", 3},       Prefix{"", 4}};
constexpr std::array<std::size_t, 5> eighths_of_kind{4, 1, 1, 1, 1};

std::size_t kind_of(std::string_view key) {
  return std::find_if(prefixes.begin(), prefixes.end(),
                      [&](const Prefix& prefix) { return key.starts_with(prefix.text); })
      ->kind;
}

std::int64_t number_in(const std::string& text) {
  std::int64_t number = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ptr != text.data() + text.size()) {
    throw unavailable("The cache refused a command.");  // the value is not a number
  }
  return number;
}

std::size_t cost_of(std::string_view key, std::string_view value) {
  return key.size() + value.size() + entry_overhead_bytes;
}

}  // namespace

MemoryStore::MemoryStore(std::size_t bytes_max) {
  static_assert(eighths_of_kind.size() == kind_count);
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    shards_[i].bytes_max = bytes_max / 8 * eighths_of_kind[i / shards_per_kind] / shards_per_kind;
  }
}

MemoryStore::Shard& MemoryStore::shard_of(std::string_view key) {
  // The map uses the low bits of the hash for its buckets. Other bits select the shard, so that the buckets of each
  // shard are filled evenly.
  return shards_[kind_of(key) * shards_per_kind + (Hash{}(key) >> 48) % shards_per_kind];
}

MemoryStore::Entries::iterator MemoryStore::Shard::find_live(std::string_view key, Clock::time_point now) {
  const auto entry = entries.find(key);
  return entry != entries.end() && entry->second.place->first > now ? entry : entries.end();
}

void MemoryStore::Shard::set(std::string_view key, std::string_view value, Clock::time_point expires) {
  if (const auto old = entries.find(key); old != entries.end()) erase(old);
  const std::size_t cost = cost_of(key, value);
  if (cost > bytes_max) return;  // it would not fit even if all other entries were removed
  while (bytes + cost > bytes_max) erase(entries.find(*order.begin()->second));

  const auto entry = entries.try_emplace(std::string(key), Entry{std::string(value), {}}).first;
  entry->second.place = order.emplace(expires, &entry->first);
  bytes += cost;
}

void MemoryStore::Shard::replace_value(Entry& entry, std::string value) {
  bytes = bytes - entry.value.size() + value.size();
  entry.value = std::move(value);
}

void MemoryStore::Shard::erase(Entries::iterator entry) {
  bytes -= cost_of(entry->first, entry->second.value);
  order.erase(entry->second.place);
  entries.erase(entry);
}

void MemoryStore::Shard::sweep(Clock::time_point now) {
  for (int i = 0; i < swept_per_write_max && !order.empty() && order.begin()->first <= now; ++i) {
    erase(entries.find(*order.begin()->second));
  }
}

std::optional<std::string> MemoryStore::get(std::string_view key) {
  Shard& shard = shard_of(key);
  const std::lock_guard guard(shard.mutex);
  const auto entry = shard.find_live(key, steady_now());
  if (entry == shard.entries.end()) return std::nullopt;
  return entry->second.value;
}

void MemoryStore::put(std::string_view key, std::string_view value, milliseconds ttl) {
  Shard& shard = shard_of(key);
  const std::lock_guard guard(shard.mutex);
  const auto now = steady_now();
  shard.sweep(now);
  shard.set(key, value, now + ttl);
}

bool MemoryStore::replace(std::string_view key, std::optional<std::string_view> expected, std::string_view value,
                          std::optional<milliseconds> ttl) {
  Shard& shard = shard_of(key);
  const std::lock_guard guard(shard.mutex);
  const auto now = steady_now();
  const auto entry = shard.find_live(key, now);
  const bool present = entry != shard.entries.end();
  if (present != expected.has_value() || (present && entry->second.value != *expected)) return false;
  const auto expires = ttl || !present ? now + ttl.value_or(milliseconds(0)) : entry->second.place->first;
  shard.set(key, value, expires);
  return true;
}

void MemoryStore::remove(std::string_view key) {
  Shard& shard = shard_of(key);
  const std::lock_guard guard(shard.mutex);
  if (const auto entry = shard.entries.find(key); entry != shard.entries.end()) shard.erase(entry);
}

std::optional<std::string> MemoryStore::take(std::string_view key) {
  Shard& shard = shard_of(key);
  const std::lock_guard guard(shard.mutex);
  const auto entry = shard.find_live(key, steady_now());
  if (entry == shard.entries.end()) return std::nullopt;
  std::string value = entry->second.value;
  shard.erase(entry);
  return value;
}

Cache::Window MemoryStore::count(std::string_view key, milliseconds window, std::int64_t by) {
  Shard& shard = shard_of(key);
  const std::lock_guard guard(shard.mutex);
  const auto now = steady_now();
  shard.sweep(now);
  const auto entry = shard.find_live(key, now);
  if (entry == shard.entries.end()) {
    shard.set(key, std::to_string(by), now + window);
    return {by, window};
  }
  const std::int64_t count = number_in(entry->second.value) + by;
  shard.replace_value(entry->second, std::to_string(count));
  return {count, std::chrono::ceil<milliseconds>(entry->second.place->first - now)};
}

void MemoryStore::uncount(std::string_view key, std::int64_t by) {
  Shard& shard = shard_of(key);
  const std::lock_guard guard(shard.mutex);
  const auto entry = shard.find_live(key, steady_now());
  if (entry == shard.entries.end()) return;
  const std::int64_t count = number_in(entry->second.value) - by;
  if (count > 0) {
    shard.replace_value(entry->second, std::to_string(count));
  } else {
    shard.erase(entry);
  }
}

bool MemoryStore::lock(std::string_view key, std::string_view owner, milliseconds ttl) {
  Shard& shard = shard_of(key);
  const std::lock_guard guard(shard.mutex);
  const auto now = steady_now();
  shard.sweep(now);
  if (shard.find_live(key, now) != shard.entries.end()) return false;
  shard.set(key, owner, now + ttl);
  return true;
}

void MemoryStore::unlock(std::string_view key, std::string_view owner) {
  Shard& shard = shard_of(key);
  const std::lock_guard guard(shard.mutex);
  const auto entry = shard.find_live(key, steady_now());
  if (entry != shard.entries.end() && entry->second.value == owner) shard.erase(entry);
}

std::vector<MemoryStore::Kept> MemoryStore::kept() const {
  std::vector<Kept> all;
  const auto now = steady_now();
  for (const Shard& shard : shards_) {
    const std::lock_guard guard(shard.mutex);
    for (const auto& [key, entry] : shard.entries) {
      const auto left = std::chrono::ceil<milliseconds>(entry.place->first - now);
      if (left.count() > 0) all.push_back({key, entry.value, left});
    }
  }
  return all;
}

std::size_t MemoryStore::bytes() const {
  std::size_t sum = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard guard(shard.mutex);
    sum += shard.bytes;
  }
  return sum;
}

}  // namespace guildhall
