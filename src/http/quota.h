#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/address.h"

namespace guildhall::http {

// Shares out something of which a process has a limited amount: at most `total_max` of it altogether, and at most
// `per_key_max` for one key (an address, a tenant). What is taken under the empty key counts only for the total. Safe
// to use from several threads. Must outlive its holds.
class Quota {
 public:
  Quota(std::size_t total_max, std::size_t per_key_max) : total_max_(total_max), per_key_max_(per_key_max) {}
  Quota(const Quota&) = delete;
  Quota& operator=(const Quota&) = delete;

  // An amount that was taken; it is given back when this is destroyed.
  class Hold {
   public:
    Hold() = default;
    Hold(Hold&& other) noexcept
        : quota_(std::exchange(other.quota_, nullptr)), use_(other.use_), amount_(other.amount_) {}
    Hold& operator=(Hold&& other) noexcept {
      std::swap(quota_, other.quota_);
      std::swap(use_, other.use_);
      std::swap(amount_, other.amount_);
      return *this;
    }
    ~Hold() {
      if (quota_ != nullptr) quota_->give_back(use_, amount_);
    }
    explicit operator bool() const { return quota_ != nullptr; }

   private:
    friend class Quota;
    using Use = std::pair<const std::string, std::size_t>;
    Hold(Quota& quota, Use* use, std::size_t amount) : quota_(&quota), use_(use), amount_(amount) {}

    Quota* quota_ = nullptr;
    Use* use_ = nullptr;  // of the key; null for the empty key
    std::size_t amount_ = 0;
  };

  // An empty hold: the amount would exceed one of the limits.
  Hold take(std::string_view key, std::size_t amount);

  // Takes the amount even when it exceeds a limit, for a caller that has just made somebody give back as much.
  Hold take_beyond(std::string_view key, std::size_t amount);

  // True: `amount` more for this key would exceed the key's own limit.
  bool key_is_full(std::string_view key, std::size_t amount) const;

  std::size_t held() const;

 private:
  std::size_t held_by(std::string_view key) const;
  Hold added(std::string_view key, std::size_t amount);
  void give_back(Hold::Use* use, std::size_t amount);

  const std::size_t total_max_, per_key_max_;
  mutable std::mutex mutex_;
  std::size_t total_ = 0;
  std::unordered_map<std::string, std::size_t> by_key_;
};

// What the listeners of a process share. Limits in bytes bound the memory that slow clients can make the server hold.
struct Capacity {
  Quota connections{10'000, 1'250};
  Quota request_bytes{128 << 20, 32 << 20};  // bodies that arrive in several pieces; by address
  Quota reply_bytes{128 << 20, 32 << 20};    // replies that have not been sent; by tenant, or by address without one
  std::vector<AddressRange> trusted_proxies{};

  // What an address is counted under. Proxies speak for many clients, so they count only for the total.
  std::string_view key_of(std::string_view address) const;
};

}  // namespace guildhall::http
