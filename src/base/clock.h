#pragma once

#include "base/instant.h"

// Nodes that share a database agree about the time: now() follows the database's clock, so that a node whose own clock
// is wrong does not end the sessions, leases and records of others.
namespace guildhall {

// This machine's own clock.
Instant local_now();

// Makes now() of this process follow a shared clock that just now shows `shared`. From the first call on, now()
// advances with the steady clock, so that setting this machine's clock does not change it. Differences up to
// clock_tolerance are ignored, since a measurement is not more precise than that.
void follow_clock(Instant shared);

inline constexpr std::chrono::seconds clock_tolerance{1};

// Makes now() this machine's own clock again. For tests.
void follow_local_clock();

// The steady clock, for durations that setting this machine's clock must not change: entries of the memory cache and
// limits on rates. Waits for other threads and other systems (timers, time-outs) read std::chrono::steady_clock
// instead.
std::chrono::steady_clock::time_point steady_now();

// Makes now() and steady_now() show the time `ahead` later than they otherwise would; zero ends that. Only
// test::TestClock calls it.
void shift_clock(std::chrono::milliseconds ahead);

}  // namespace guildhall
