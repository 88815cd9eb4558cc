#include "http/quota.h"

#include <algorithm>

namespace guildhall::http {

Quota::Hold Quota::take(std::string_view key, std::size_t amount) {
  const std::lock_guard lock(mutex_);
  if (amount > total_max_ - std::min(total_, total_max_)) return {};
  if (!key.empty() && amount_of(key) + amount > per_key_max_) return {};
  return add(key, amount);
}

Quota::Hold Quota::take_beyond(std::string_view key, std::size_t amount) {
  const std::lock_guard lock(mutex_);
  return add(key, amount);
}

bool Quota::key_is_full(std::string_view key, std::size_t amount) const {
  const std::lock_guard lock(mutex_);
  return !key.empty() && amount_of(key) + amount > per_key_max_;
}

std::size_t Quota::held() const {
  const std::lock_guard lock(mutex_);
  return total_;
}

std::size_t Quota::amount_of(std::string_view key) const {
  const auto found = by_key_.find(std::string(key));
  return found == by_key_.end() ? 0 : found->second;
}

Quota::Hold Quota::add(std::string_view key, std::size_t amount) {
  Hold::Use* use = key.empty() ? nullptr : &*by_key_.try_emplace(std::string(key), 0).first;
  if (use != nullptr) use->second += amount;
  total_ += amount;
  return {*this, use, amount};
}

void Quota::give_back(Hold::Use* use, std::size_t amount) {
  const std::lock_guard lock(mutex_);
  total_ -= amount;
  if (use != nullptr && (use->second -= amount) == 0) by_key_.erase(by_key_.find(use->first));
}

std::string Capacity::key_of(std::string_view address) const {
  const bool proxy = std::ranges::any_of(trusted_proxies, [&](const auto& range) { return range.contains(address); });
  return proxy ? std::string() : counted_address(address);
}

}  // namespace guildhall::http
