#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/ids.h"
#include "storage/database.h"

// The message that the handler of a topic receives, and the verdict that it returns.
namespace guildhall::outbox {

struct Delivery {
  TenantId tenant;
  std::string id;  // the same for every attempt: pass it on, so that the receiver can recognise a repetition
  std::string topic;
  std::string payload;
  std::string receiver;       // empty unless the topic has several receivers
  std::int64_t attempts = 1;  // this one included
  Instant created_at;
  std::string traceparent{};  // of the request that caused the message; empty: none
};

struct Verdict {
  enum class Kind {
    done,
    retry,  // later, according to the policy of the topic
    dead,   // no further attempt; the message is kept, and an admin may queue it again
  };

  Kind kind = Kind::done;
  std::string reason{};                              // for the operator; must not contain a secret
  std::optional<std::chrono::milliseconds> after{};  // the wait that the receiver asked for; it is limited later
  // Further writes in the transaction that marks the message; not called if the claim is no longer valid.
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

// May block, and may run on several threads at once. An exception counts as retry.
using Handler = std::function<Verdict(const Delivery&)>;

// The waits between attempts double from the first to the longest. Each is shortened at random by up to half, so that
// messages that failed together are not repeated together. With these values a message is tried for about three days.
struct RetryPolicy {
  std::chrono::milliseconds first{5'000};
  std::chrono::milliseconds longest{3'600'000};
  std::int64_t attempts_max = 80;  // after them the message is dead
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
