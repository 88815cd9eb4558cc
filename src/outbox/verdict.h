#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/ids.h"
#include "storage/database.h"

// What a topic's handler is given, and what it says afterwards.
namespace guildhall::outbox {

struct Delivery {
  TenantId tenant;
  std::string id;  // the same for every attempt: hand it on, so that the receiver can tell a repetition
  std::string topic;
  std::string payload;
  std::string receiver;       // of the topic's several, if it has any
  std::int64_t attempts = 1;  // this one included
  Instant created_at;
};

struct Verdict {
  enum class Kind {
    done,
    retry,  // later, by the topic's policy
    dead,   // never by itself; kept, and an admin may queue it again
  };

  Kind kind = Kind::done;
  std::string reason{};                              // for the operator; names no secret
  std::optional<std::chrono::milliseconds> after{};  // how long the receiver asks us to wait; any value is safe
  // Written in the transaction that marks the message, and only if this attempt is the one that marks it.
  std::function<void(Tx&)> also{};
};

inline Verdict done(std::function<void(Tx&)> also = {}) {
  return {.kind = Verdict::Kind::done, .also = std::move(also)};
}
inline Verdict retry(std::string reason, std::optional<std::chrono::milliseconds> after = {}) {
  return {.kind = Verdict::Kind::retry, .reason = std::move(reason), .after = after};
}
inline Verdict dead(std::string reason) {
  return {.kind = Verdict::Kind::dead, .reason = std::move(reason)};
}

// May block, and may run on several threads at once. A throw counts as retry.
using Handler = std::function<Verdict(const Delivery&)>;

// Waits double from the first to the longest, each shortened at random by up to half so that what failed together
// does not come back together. With these values a message is tried for about three days.
struct RetryPolicy {
  std::chrono::milliseconds first{5'000};
  std::chrono::milliseconds longest{3'600'000};
  std::int64_t attempts_max = 80;  // then it is dead
};

// The longest wait that a receiver can ask for. A longer one is shortened to this, so that a wrong value never stops a
// message or a lane for good.
constexpr std::chrono::milliseconds requested_wait_max = std::chrono::hours(1);

// The wait that a receiver asked for, from 0 to requested_wait_max. Everything that waits because a receiver asked for
// it goes through this function.
std::chrono::milliseconds limit_requested_wait(std::chrono::milliseconds requested);

// A number of seconds, fractions included, as a limited wait. Nothing for a negative value or NaN.
std::optional<std::chrono::milliseconds> requested_wait_of(double seconds);

// The value of a Retry-After header, in seconds or as an HTTP date, as a limited wait. Nothing for any other text.
std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value, Instant now);

// `chance` is from 0 to 1. A wait that the receiver asks for is honoured even if it is longer than the policy's own, up
// to requested_wait_max.
std::chrono::milliseconds wait_before_next(const RetryPolicy& policy, std::int64_t attempts, double chance,
                                           std::optional<std::chrono::milliseconds> asked);

}  // namespace guildhall::outbox
