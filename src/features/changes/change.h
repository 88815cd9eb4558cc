#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/audit_feed.h"
#include "base/declared.h"

// The events of a stream of live changes, in the format of Server-Sent Events.
namespace guildhall {

struct ChangeActor {
  ActorKind kind = ActorKind::SYSTEM;
  std::string id;
};
BOOST_DESCRIBE_STRUCT(ChangeActor, (), (kind, id))

// The data of an event.
struct LiveChange {
  std::string entity;  // the kind of record: order, customer
  std::string id;
  std::string action;                   // created, updated, deleted, or specific to the entity
  std::optional<std::int64_t> version;  // the record's version, which is also its ETag; null if it has none
  Instant at;
  ChangeActor actor;
};
BOOST_DESCRIBE_STRUCT(LiveChange, (), (entity, id, action, version, at, actor))

// A place in a tenant's audit trail, as the id of an event: `<sequence>-<beginning of the entry's hash>`. The hash
// shows whether the client has seen the same trail: after a restore of a backup, a sequence may stand for another
// change.
struct ChangePosition {
  std::int64_t sequence = 0;
  std::string hash;  // its beginning

  static ChangePosition of(const ChainHead& head);
  static std::optional<ChangePosition> parse(std::string_view id);
  std::string id() const;
};

// An encoded change, shared by all streams of its tenant.
struct EncodedChange {
  ChangePosition position;
  bool is_data = false;         // readable with data.read; all others need admin.access
  bool affects_access = false;  // the change may end the access of a caller
  std::string text;
};

EncodedChange encoded(const SealedChange& change);

// Asks the client to read again everything that it shows. The stream continues after that position.
std::string reload_event(const ChangePosition& position);

// The beginning of a stream: the time after which a client connects again, and the position for it to send then.
std::string opening(const ChangePosition& position);

// A comment that keeps the connection open, with the position. A client whose changes are all filtered out thus also
// has a recent position.
std::string heartbeat(const ChangePosition& position);

}  // namespace guildhall
