#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <string>

#include "features/changes/change.h"

namespace guildhall {

// The recent changes of one tenant, from which all its streams of this process are served. A stream that is further
// behind than they reach is asked to reload, so the memory does not depend on slow readers. Thread-safe.
class RecentChanges {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t changes_max = 2000;
  static constexpr std::chrono::seconds age_max{10};

  explicit RecentChanges(ChangePosition begin) : begin_(begin), end_(std::move(begin)) {}

  // The position up to which changes have been added.
  ChangePosition end() const;

  void add(std::vector<EncodedChange> changes, Clock::time_point now = Clock::now());

  // Drops everything and continues at that position, so that all streams are asked to reload.
  void restart(ChangePosition at, Clock::time_point now = Clock::now());

  bool has_restarted_within(std::chrono::milliseconds time, Clock::time_point now = Clock::now()) const;

  void drop_old(Clock::time_point now = Clock::now());

  enum class Result {
    taken,
    behind,  // the changes after the position are not here any more
  };
  struct Reader {
    ChangePosition position;      // of the last change that was taken
    bool sees_all = false;        // otherwise only data that is readable with data.read
    bool affects_access = false;  // set when a change was passed that may end the reader's access
  };

  // Appends the changes after the reader's position, up to about `bytes_max`, and moves the position.
  Result take(Reader& reader, std::string& out, std::size_t bytes_max) const;

  // Calls the function after each change of the content, on another thread and under a lock: it must not call this
  // object.
  using Subscribers = std::list<std::function<void()>>;
  Subscribers::iterator subscribe(std::function<void()> changed);
  void unsubscribe(Subscribers::iterator subscriber);
  std::size_t subscribers() const;

 private:
  struct Recent {
    EncodedChange change;
    Clock::time_point added;
  };
  void drop_first();
  void notify() const;

  mutable std::mutex mutex_;
  ChangePosition begin_;  // the changes after it are in recent_
  ChangePosition end_;
  std::deque<Recent> recent_;
  std::optional<Clock::time_point> restarted_;
  Subscribers subscribers_;
};

}  // namespace guildhall
