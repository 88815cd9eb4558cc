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

// Limits the use of a resource in the process: at most `total_max` in total, and at most `per_key_max` for one key (an
// address, a tenant). An amount taken under the empty key counts only for the total. Thread-safe. Must outlive its
// holds.
class Quota {
 public:
  Quota(std::size_t total_max, std::size_t per_key_max) : total_max_(total_max), per_key_max_(per_key_max) {}
  Quota(const Quota&) = delete;
  Quota& operator=(const Quota&) = delete;

  // An amount that was taken. The destructor returns it to the quota.
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
    Use* use_ = nullptr;  // the entry of the key; null for the empty key
    std::size_t amount_ = 0;
  };

  // Returns an empty hold if the amount would exceed one of the limits.
  Hold take(std::string_view key, std::size_t amount);

  // Takes the amount even if it exceeds a limit, for a caller that has just caused another hold of that amount to be
  // released.
  Hold take_beyond(std::string_view key, std::size_t amount);

  // True if `amount` more for this key would exceed the limit of the key.
  bool key_is_full(std::string_view key, std::size_t amount) const;

  std::size_t held() const;

 private:
  std::size_t amount_of(std::string_view key) const;
  Hold add(std::string_view key, std::size_t amount);
  void give_back(Hold::Use* use, std::size_t amount);

  const std::size_t total_max_, per_key_max_;
  mutable std::mutex mutex_;
  std::size_t total_ = 0;
  std::unordered_map<std::string, std::size_t> by_key_;
};

// The limits that the listeners of a process share. Those in bytes limit the memory that slow clients can occupy.
struct Capacity {
  Quota connections{10'000, 1'250};
  Quota request_bytes{128 << 20, 32 << 20};  // bodies that arrive in several pieces; key: address
  // The same for bodies over the usual limit (pictures). They are counted apart, so that a few of them cannot keep
  // ordinary requests out.
  Quota large_request_bytes{64 << 20, 16 << 20};
  Quota reply_bytes{128 << 20, 32 << 20};  // unsent replies; key: tenant, or address without a tenant
  std::vector<AddressRange> trusted_proxies{};

  // Returns the key under which an address is counted (see counted_address). Proxies act for many clients, so their key
  // is empty: they count only for the total.
  std::string key_of(std::string_view address) const;
};

}  // namespace guildhall::http
