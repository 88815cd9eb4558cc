#include "features/changes/recent_changes.h"

#include <algorithm>

namespace guildhall {

ChangePosition RecentChanges::end() const {
  const std::lock_guard lock(mutex_);
  return end_;
}

void RecentChanges::add(std::vector<EncodedChange> changes, Clock::time_point now) {
  if (changes.empty()) return;
  const std::lock_guard lock(mutex_);
  for (EncodedChange& change : changes) recent_.push_back({std::move(change), now});
  end_ = recent_.back().change.position;
  while (recent_.size() > changes_max) drop_first();
  notify();
}

void RecentChanges::restart(ChangePosition at, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  restarted_ = now;
  recent_.clear();
  begin_ = end_ = std::move(at);
  notify();
}

bool RecentChanges::has_restarted_within(std::chrono::milliseconds time, Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  return restarted_ && *restarted_ + time > now;
}

void RecentChanges::drop_old(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  while (!recent_.empty() && recent_.front().added + age_max < now) drop_first();
}

void RecentChanges::drop_first() {
  begin_ = std::move(recent_.front().change.position);
  recent_.pop_front();
}

RecentChanges::Result RecentChanges::take(Reader& reader, std::string& out, std::size_t bytes_max) const {
  const std::lock_guard lock(mutex_);
  if (reader.position.sequence < begin_.sequence) return Result::behind;
  const auto sequence_of = [](const Recent& recent) { return recent.change.position.sequence; };
  auto next = std::ranges::upper_bound(recent_, reader.position.sequence, {}, sequence_of);
  for (; next != recent_.end() && out.size() < bytes_max; ++next) {
    const EncodedChange& change = next->change;
    if (reader.sees_all || change.is_data) out += change.text;
    reader.affects_access = reader.affects_access || change.affects_access;
    reader.position = change.position;
  }
  return Result::taken;
}

RecentChanges::Subscribers::iterator RecentChanges::subscribe(std::function<void()> changed) {
  const std::lock_guard lock(mutex_);
  return subscribers_.insert(subscribers_.end(), std::move(changed));
}

void RecentChanges::unsubscribe(Subscribers::iterator subscriber) {
  const std::lock_guard lock(mutex_);
  subscribers_.erase(subscriber);
}

std::size_t RecentChanges::subscribers() const {
  const std::lock_guard lock(mutex_);
  return subscribers_.size();
}

void RecentChanges::notify() const {
  for (const auto& changed : subscribers_) changed();
}

}  // namespace guildhall
