#pragma once

#include <map>

#include "outbox/message_store.h"

namespace guildhall::outbox {

struct LaneLimits {
  int in_flight_per_lane = 2;
  int in_flight_per_tenant = 4;
  std::chrono::milliseconds rest_first{5'000};  // after the second failure in a row; it doubles with each further one
  std::chrono::milliseconds rest_longest{60'000};
};

// Limits the deliveries in flight of each lane and of each tenant in this process. A lane that keeps failing gets one
// delivery at a time, with rests in between, so that it costs little however many messages wait in it. Not thread-safe.
class Lanes {
 public:
  explicit Lanes(LaneLimits limits) : limits_(limits) {}

  // How many more deliveries the lane may start now; 0 while it rests.
  int room(const Lane& lane, Instant now) const;

  void started(const Lane& lane);

  // Each ends a delivery. `asked` is the wait that the receiver asked for, which is honoured up to requested_wait_max.
  void succeeded(const Lane& lane);
  void failed(const Lane& lane, Instant now, std::optional<std::chrono::milliseconds> asked);

  // Starts no delivery of the lane before that time, or before the end of one that is in flight.
  void rest(const Lane& lane, Instant until);

 private:
  struct State {
    int in_flight = 0;
    int failures = 0;  // in a row
    Instant rests_until;
  };
  State& finished(const Lane& lane);
  void forget_some();

  LaneLimits limits_;
  std::map<Lane, State> lanes_;  // only those with a delivery in flight, with failures, or that rest
  std::map<std::string, int> in_flight_by_tenant_;
};

}  // namespace guildhall::outbox
