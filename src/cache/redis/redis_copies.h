#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace guildhall {

// Values that a loop has read from Redis within the last second. A value that Redis reports as changed is dropped, also
// when the reply to the read that fetches it has not arrived yet.
class RedisCopies {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds usable_for{1};
  static constexpr std::size_t copies_max = 4'000;  // one more drops all
  static constexpr std::size_t bytes_max = 4'096;   // a longer value is not kept

  const std::string* find(std::string_view key, Clock::time_point now) const {
    const auto found = copies_.find(key);
    if (found == copies_.end() || !found->second.has_arrived) return nullptr;
    return found->second.sent_at + usable_for > now ? &found->second.value : nullptr;
  }

  // Call it before a read is sent. Returns the number of the read.
  std::uint64_t reading(std::string_view key, Clock::time_point now) {
    if (copies_.size() >= copies_max) copies_.clear();
    copies_.insert_or_assign(std::string(key), Copy{.read = ++reads_, .sent_at = now});
    return reads_;
  }

  // Call it with what the read has returned.
  void arrived(std::string_view key, std::uint64_t read, const std::string& value) {
    const auto found = copies_.find(key);
    if (found == copies_.end() || found->second.read != read || value.size() > bytes_max) return;
    found->second.value = value;
    found->second.has_arrived = true;
  }

  void drop(std::string_view key) {
    if (const auto found = copies_.find(key); found != copies_.end()) copies_.erase(found);
  }
  void drop_all() { copies_.clear(); }

 private:
  struct Copy {
    std::uint64_t read = 0;
    Clock::time_point sent_at;
    bool has_arrived = false;
    std::string value;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::unordered_map<std::string, Copy, Hash, std::equal_to<>> copies_;
  std::uint64_t reads_ = 0;
};

}  // namespace guildhall
