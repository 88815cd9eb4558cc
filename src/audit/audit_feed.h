#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/audit_chain.h"

// Following the sealed part of the audit trail. The sequence of a tenant's chain has no gaps, and an entry gets its
// place after its transaction has been committed, so a reader that continues after the last sequence misses nothing.
namespace guildhall {

// A sealed entry without the values that changed.
struct SealedChange {
  std::int64_t sequence = 0;
  std::string hash;
  Instant at;
  ActorKind actor_kind = ActorKind::SYSTEM;
  std::string actor_id;
  std::string subject;
  std::string subject_id;
  std::string action;
  std::optional<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(SealedChange, (),
                      (sequence, hash, at, actor_kind, actor_id, subject, subject_id, action, version))

// Selects the entries after a place in the chain, in order.
Select<SealedChange> sealed_changes(const TenantId& tenant, std::int64_t after_sequence, std::int64_t limit);

// Selects the hash of one entry.
Select<std::string> sealed_hash(const TenantId& tenant, std::int64_t sequence);

struct ChainState {
  TenantId tenant;
  ChainHead head;
  bool waiting = false;  // there are entries that are not sealed yet
};

// Reads the states of many chains, with one statement for each 50 tenants.
std::vector<ChainState> chain_states(Tx& tx, std::span<const TenantId> tenants);

}  // namespace guildhall
