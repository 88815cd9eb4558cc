#pragma once

#include <map>
#include <vector>

#include "base/declared.h"
#include "outbox/verdict.h"
#include "storage/database.h"

// All SQL of the outbox's messages.
namespace guildhall::outbox {

struct Lane {
  std::string tenant;
  std::string name;  // the topic, or topic:receiver

  auto operator<=>(const Lane&) const = default;
  std::string_view topic() const { return std::string_view(name).substr(0, name.find(':')); }
  std::string_view receiver() const { return std::string_view(name).substr(std::min(topic().size() + 1, name.size())); }
};

// The right of this process to deliver a message until `until`. Marking the message requires its claim.
struct Claim {
  Delivery delivery;
  Lane lane;
  Instant until;
};

// The lanes after the given one that have a message due, in order.
std::vector<Lane> due_lanes(Tx& tx, const Lane& after, Instant now, std::int64_t limit);

// Claims the lane's oldest due messages, except those that another node is claiming at the same time: PostgreSQL skips
// their locked rows, and SQLite has only one writer. Of a lane that is delivered in order only the oldest message is
// claimed, and nothing if that is not due or is claimed already; then PostgreSQL waits for a locked row.
enum class Locking { one_writer, skip_locked, one_writer_oldest, wait_for_oldest };
std::vector<Claim> claim(Tx& tx, Locking locking, const Lane& lane, Instant now, Instant until, std::int64_t limit);

// When the oldest message of the lane is due, or its claim ends.
std::optional<Instant> oldest_due(Tx& tx, const Lane& lane);

// Each returns false if the claim is no longer valid. mark_done also accepts a claim that has expired, because the
// message was delivered, unless another node has marked the message in the meantime.
bool mark_done(Tx& tx, const Claim& claim, Instant now);
bool mark_retry(Tx& tx, const Claim& claim, std::string_view reason, Instant due);
bool mark_dead(Tx& tx, const Claim& claim, std::string_view reason, Instant now);

// Gives an unused claim back: the message is due again, and the attempt is not counted.
void release(Tx& tx, const Claim& claim, Instant now);

// Gives all claims back. Only for the start of a process that is the only one to use the database.
void release_all(Tx& tx, Instant now);

struct Depth {
  std::int64_t pending = 0;
  Instant oldest_due;
};
// The pending messages of each topic that has some; at most 100,000 messages are counted in all.
std::map<std::string, Depth, std::less<>> depth_by_topic(Tx& tx);

// Deletes up to `rows_max` messages that were done or dead before the given times. Returns how many.
std::int64_t forget_messages(Tx& tx, Instant done_before, Instant dead_before, std::int64_t rows_max);

}  // namespace guildhall::outbox
