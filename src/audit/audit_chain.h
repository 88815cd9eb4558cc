#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "storage/storage.h"

// The hash chains of the audit trail, one per tenant: each sealed entry's hash covers its text, its place and the hash
// before it, so that an entry that is changed, removed or put in shows. The last link is kept apart, so that a cut tail
// shows, too.
namespace guildhall {

// Inserts an entry as the chain's next link, which is only for whoever writes alone: all others would wait for it.
void insert_sealed(Tx& tx, const AuditEntry& entry);

// Seals what has gathered, of every tenant, in small transactions. Safe on any number of nodes: two that seal the same
// tenant at once do not both succeed. Returns how many entries were sealed.
std::int64_t seal_audit_trail(Storage& storage);

struct ChainReport {
  TenantId tenant;
  std::int64_t sealed = 0;
  std::int64_t waiting = 0;            // not sealed yet
  std::string head;                    // the last hash; kept elsewhere, it proves that the chain was not made anew
  std::optional<std::string> problem;  // a sentence: the first link that does not hold
};

// Recomputes the chain of one tenant, some hundred entries at a time. Only reads.
ChainReport verify_chain(Tx& tx, const TenantId& tenant);

// Every tenant that has a trail, sorted.
std::vector<TenantId> tenants_with_trails(Tx& tx);

}  // namespace guildhall
