#pragma once

#include <map>

#include "outbox/message_store.h"

namespace guildhall::outbox {

struct LaneLimits {
  int in_flight_per_lane = 2;
  int in_flight_per_tenant = 4;
  std::chrono::milliseconds rest_first{5'000};  // after the second failure in a row, doubling
  std::chrono::milliseconds rest_longest{60'000};
};

// How much this process may have under way in each lane and for each tenant. A lane that fails again and again is
// tried by one message at a time, with rests in between, so that it costs next to nothing however much waits in it.
// Not thread-safe.
class Lanes {
 public:
  explicit Lanes(LaneLimits limits) : limits_(limits) {}

  // How many more may be under way; 0 while the lane rests.
  int room(const Lane& lane, Instant now) const;

  void started(const Lane& lane);

  // Counts a result that came or did not; `asked` is how long the receiver asks us to wait, which is honoured up to
  // requested_wait_max.
  void succeeded(const Lane& lane);
  void failed(const Lane& lane, Instant now, std::optional<std::chrono::milliseconds> asked);

 private:
  struct State {
    int in_flight = 0;
    int failures = 0;  // in a row
    Instant rests_until;
  };
  State& finished(const Lane& lane);

  LaneLimits limits_;
  std::map<Lane, State> lanes_;  // those with something under way or with failures
  std::map<std::string, int> in_flight_by_tenant_;
};

}  // namespace guildhall::outbox
