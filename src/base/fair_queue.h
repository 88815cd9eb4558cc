#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace guildhall {

// A bounded queue that serves sources (client addresses, for example) in turn: a source with a thousand items delays an
// item of another source by one item only. Not synchronised.
template <class T>
class FairQueue {
 public:
  explicit FairQueue(std::size_t items_max) : items_max_(items_max) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // Adds the item. When the queue is full, one item is refused and returned: the newest item of the source that has the
  // most items, counting the given one.
  std::optional<T> push(std::string_view source, T item) {
    std::optional<T> refused;
    if (size_ >= items_max_) {
      const auto longest = find_longest();
      if (longest == by_source_.end() || count_of(source) + 1 >= longest->second.size()) return item;
      refused.emplace(std::move(longest->second.back()));
      longest->second.pop_back();
      --size_;
    }
    const auto found = by_source_.try_emplace(std::string(source)).first;
    if (found->second.empty()) turns_.push_back(found);
    found->second.push_back(std::move(item));
    ++size_;
    return refused;
  }

  // Removes and returns the oldest item of the source whose turn it is. The queue must not be empty.
  T pop() {
    const auto found = turns_.front();
    turns_.pop_front();
    T item = std::move(found->second.front());
    found->second.pop_front();
    if (found->second.empty()) {
      by_source_.erase(found);
    } else {
      turns_.push_back(found);
    }
    --size_;
    return item;
  }

 private:
  using BySource = std::map<std::string, std::deque<T>, std::less<>>;

  typename BySource::iterator find_longest() {
    return std::max_element(by_source_.begin(), by_source_.end(),
                            [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  }

  std::size_t count_of(std::string_view source) const {
    const auto found = by_source_.find(source);
    return found == by_source_.end() ? 0 : found->second.size();
  }

  const std::size_t items_max_;
  std::size_t size_ = 0;
  BySource by_source_;                             // no source without an item
  std::deque<typename BySource::iterator> turns_;  // each source once
};

}  // namespace guildhall
