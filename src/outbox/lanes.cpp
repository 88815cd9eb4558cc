#include "outbox/lanes.h"

namespace guildhall::outbox {

using std::chrono::milliseconds;

namespace {

constexpr std::size_t remembered_max = 10'000;

}  // namespace

int Lanes::room(const Lane& lane, Instant now) const {
  const auto tenant = in_flight_by_tenant_.find(lane.tenant);
  const int of_tenant = limits_.in_flight_per_tenant - (tenant == in_flight_by_tenant_.end() ? 0 : tenant->second);
  const auto found = lanes_.find(lane);
  if (found == lanes_.end()) return std::min(of_tenant, limits_.in_flight_per_lane);
  const State& state = found->second;
  if (now < state.rests_until) return 0;
  const int of_lane = (state.failures > 0 ? 1 : limits_.in_flight_per_lane) - state.in_flight;
  return std::max(0, std::min(of_tenant, of_lane));
}

void Lanes::started(const Lane& lane) {
  ++lanes_[lane].in_flight;
  ++in_flight_by_tenant_[lane.tenant];
}

Lanes::State& Lanes::finished(const Lane& lane) {
  const auto tenant = in_flight_by_tenant_.find(lane.tenant);
  if (--tenant->second == 0) in_flight_by_tenant_.erase(tenant);
  State& state = lanes_[lane];
  --state.in_flight;
  return state;
}

void Lanes::succeeded(const Lane& lane) {
  State& state = finished(lane);
  state.failures = 0;
  state.rests_until = {};
  if (state.in_flight == 0) lanes_.erase(lane);
}

void Lanes::failed(const Lane& lane, Instant now, std::optional<milliseconds> asked) {
  State& state = finished(lane);
  ++state.failures;
  milliseconds rest(0);
  if (state.failures > 1) {
    rest = limits_.rest_first;
    for (int i = 2; i < state.failures && rest < limits_.rest_longest; ++i) rest *= 2;
    rest = std::min(rest, limits_.rest_longest);
  }
  state.rests_until = now + std::max(rest, limit_requested_wait(asked.value_or(milliseconds(0))));
  forget_some();
}

void Lanes::rest(const Lane& lane, Instant until) {
  lanes_[lane].rests_until = until;
  forget_some();
}

// Without this the failures of receivers that no longer exist would be kept for ever. The failures of the others are
// soon counted again.
void Lanes::forget_some() {
  if (lanes_.size() <= remembered_max) return;
  std::erase_if(lanes_, [](const auto& entry) { return entry.second.in_flight == 0; });
}

}  // namespace guildhall::outbox
