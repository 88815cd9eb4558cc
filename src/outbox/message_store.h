#pragma once

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

// A message that this process may deliver until then; also the token that marking it asks for.
struct Claim {
  Delivery delivery;
  Lane lane;
  Instant until;
};

// Lanes with something due, in order, after the given one.
std::vector<Lane> due_lanes(Tx& tx, const Lane& after, Instant now, std::int64_t limit);

// Claims the lane's oldest due messages, passing over those that another node is just claiming. `skip_locked` is the
// engine's word for that.
enum class Locking { one_writer, skip_locked };
std::vector<Claim> claim(Tx& tx, Locking locking, const Lane& lane, Instant now, Instant until, std::int64_t limit);

// Each returns false if the message is not this claim's any more. What has been delivered is marked as done even when
// the claim has run out meanwhile, unless somebody else has marked it.
bool mark_done(Tx& tx, const Claim& claim, Instant now);
bool mark_retry(Tx& tx, const Claim& claim, std::string_view reason, Instant due);
bool mark_dead(Tx& tx, const Claim& claim, std::string_view reason, Instant now);

// Makes a claim that was not used due again, as if it had not been.
void release(Tx& tx, const Claim& claim, Instant now);

// Makes every claim due again: for the start of the only process that uses the database.
void release_all(Tx& tx, Instant now);

struct Depth {
  std::int64_t pending = 0;  // counted up to a limit
  Instant oldest_due;
};
Depth depth(Tx& tx, Instant now);

// Deletes up to `rows_max` messages that were finished before the moments given; returns how many.
std::int64_t forget_messages(Tx& tx, Instant done_before, Instant dead_before, std::int64_t rows_max);

}  // namespace guildhall::outbox
