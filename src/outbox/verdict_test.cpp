#include "outbox/verdict.h"

#include <gtest/gtest.h>

#include "outbox/lanes.h"

namespace guildhall::outbox {
namespace {

using std::chrono::milliseconds, std::chrono::hours, std::chrono::seconds;
using namespace std::chrono_literals;

constexpr RetryPolicy policy{.first = 1s, .longest = 10s, .attempts_max = 5};

TEST(Waits, double_up_to_the_longest) {
  const milliseconds expected[] = {1s, 2s, 4s, 8s, 10s, 10s};
  for (int attempt = 1; attempt <= 6; ++attempt) {
    EXPECT_EQ(wait_before_next(policy, attempt, 0, {}), expected[attempt - 1]) << attempt;
  }
  EXPECT_EQ(wait_before_next(policy, 1'000'000, 0, {}), 10s);
}

TEST(Waits, are_shortened_at_random_by_up_to_half) {
  EXPECT_EQ(wait_before_next(policy, 2, 1, {}), 1s);
  EXPECT_EQ(wait_before_next(policy, 2, 0.5, {}), 1500ms);
}

TEST(Waits, are_as_long_as_the_receiver_asks_up_to_the_maximum) {
  EXPECT_EQ(wait_before_next(policy, 1, 0, 30s), 30s);
  EXPECT_EQ(wait_before_next(policy, 1, 0, 0s), 1s);
  EXPECT_EQ(wait_before_next(policy, 1, 0, milliseconds(-5)), 1s);
  EXPECT_EQ(wait_before_next(policy, 1, 0, milliseconds::min()), 1s);
  EXPECT_EQ(wait_before_next(policy, 1, 0, hours(48)), requested_wait_max);
  EXPECT_EQ(wait_before_next(policy, 1, 0, milliseconds::max()), requested_wait_max);
}

TEST(RetryAfter, is_seconds_or_a_date) {
  const Instant at = *parse_instant("2026-11-15T10:00:00Z");
  EXPECT_EQ(parse_retry_after("120", at), 120s);
  EXPECT_EQ(parse_retry_after("0", at), 0s);
  EXPECT_EQ(parse_retry_after("Sun, 15 Nov 2026 10:01:00 GMT", at), 60s);
  EXPECT_EQ(parse_retry_after("Sun, 15 Nov 2026 09:00:00 GMT", at), 0s);
  for (const char* bad : {"", "-1", "1.5", "soon", "12 s", "nan", "inf", "1e9", "Sun, 15 Nov 2026 10:01:00"}) {
    EXPECT_EQ(parse_retry_after(bad, at), std::nullopt) << bad;
  }
}

TEST(RetryAfter, is_never_longer_than_the_maximum) {
  const Instant at = *parse_instant("2026-11-15T10:00:00Z");
  for (const char* huge : {"3601", "86400", "86400000", "9223372036854775807", "99999999999999999999",
                           "Mon, 16 Nov 2026 10:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"}) {
    EXPECT_EQ(parse_retry_after(huge, at), requested_wait_max) << huge;
  }
  EXPECT_EQ(parse_retry_after(std::string(400, '9'), at), requested_wait_max);
}

TEST(RequestedWait, is_made_of_any_number_of_seconds) {
  EXPECT_EQ(requested_wait_of(0.25), 250ms);
  EXPECT_EQ(requested_wait_of(0.0001), 1ms) << "never less than was asked for";
  EXPECT_EQ(requested_wait_of(0), 0ms);
  EXPECT_EQ(requested_wait_of(1e300), requested_wait_max);
  EXPECT_EQ(requested_wait_of(std::numeric_limits<double>::infinity()), requested_wait_max);
  EXPECT_EQ(requested_wait_of(-1), std::nullopt);
  EXPECT_EQ(requested_wait_of(std::numeric_limits<double>::quiet_NaN()), std::nullopt);
}

constexpr LaneLimits limits{.in_flight_per_lane = 2, .in_flight_per_tenant = 3, .rest_first = 5s, .rest_longest = 15s};
const Lane one{"a", "hook:1"}, two{"a", "hook:2"}, elsewhere{"b", "hook:1"};
const Instant start{1'000'000};

TEST(Lanes, have_room_for_so_many_of_a_lane_and_of_a_tenant) {
  Lanes lanes(limits);
  EXPECT_EQ(lanes.room(one, start), 2);
  lanes.started(one);
  lanes.started(one);
  EXPECT_EQ(lanes.room(one, start), 0);
  EXPECT_EQ(lanes.room(two, start), 1);
  lanes.started(two);
  EXPECT_EQ(lanes.room(two, start), 0);
  EXPECT_EQ(lanes.room(elsewhere, start), 2);
  lanes.succeeded(one);
  EXPECT_EQ(lanes.room(two, start), 1);
}

TEST(Lanes, rest_longer_with_every_failure_in_a_row_and_are_tried_singly) {
  Lanes lanes(limits);
  const milliseconds rests[] = {0s, 5s, 10s, 15s, 15s};
  Instant at = start;
  for (const milliseconds rest : rests) {
    lanes.started(one);
    lanes.failed(one, at, {});
    if (rest > 0s) EXPECT_EQ(lanes.room(one, at + rest - 1ms), 0);
    at = at + rest;
    EXPECT_EQ(lanes.room(one, at), 1);
    EXPECT_EQ(lanes.room(two, at), 2);
  }
  lanes.started(one);
  lanes.succeeded(one);
  EXPECT_EQ(lanes.room(one, at), 2);
}

TEST(Lanes, rest_at_once_when_the_receiver_asks) {
  Lanes lanes(limits);
  lanes.started(one);
  lanes.failed(one, start, 30s);
  EXPECT_EQ(lanes.room(one, start + 29s), 0);
  EXPECT_EQ(lanes.room(one, start + 30s), 1);
}

TEST(Lanes, rest_no_longer_than_the_maximum_whatever_the_receiver_asks) {
  for (const milliseconds asked : {milliseconds(hours(24 * 365 * 80)), milliseconds::max()}) {
    Lanes lanes(limits);
    lanes.started(one);
    lanes.failed(one, start, asked);
    EXPECT_EQ(lanes.room(one, start + requested_wait_max - 1ms), 0);
    EXPECT_EQ(lanes.room(one, start + requested_wait_max), 1);
  }
  Lanes lanes(limits);
  lanes.started(one);
  lanes.failed(one, start, milliseconds::min());
  EXPECT_EQ(lanes.room(one, start), 1);
}

}  // namespace
}  // namespace guildhall::outbox
