#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "base/job_failures.h"
#include "storage/storage.h"

// The hash chains of the audit trail, one per tenant. The hash of a sealed entry covers its columns, its position and
// the hash of the entry before it, so that verify_chain() finds an entry that was changed, removed, added or moved. The
// last position and hash (the head) are stored separately, so that it also finds entries removed from the end.
namespace guildhall {

// An entry as it is stored. The chain covers the stored text and decodes nothing, so that an entry with a value that
// this version does not know, such as a kind of actor that a newer node has written, is sealed like the others.
struct StoredEntry {
  std::string id;
  TenantId tenant_id;
  Instant at;
  std::string actor_kind;
  std::string actor_id;
  std::string request_id;
  std::string subject;
  std::string subject_id;
  std::string action;
  std::string changes;
  std::optional<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(StoredEntry, (),
                      (id, tenant_id, at, actor_kind, actor_id, request_id, subject, subject_id, action, changes,
                       version))

// Inserts an entry and seals it at once. Only for engines with a single writer: other transactions of the tenant would
// wait for it.
void insert_sealed(Tx& tx, const AuditEntry& entry);

// Seals the waiting entries of every tenant, in small transactions. Safe on any number of nodes: of two that seal the
// same tenant at once, only one succeeds and the other starts over. A tenant whose entries cannot be sealed does not
// stop the others. Returns the number of entries sealed.
std::int64_t seal_audit_trail(Storage& storage, const JobFailures& failures = {});

// Seals the waiting entries of one tenant, at most 500. Returns their number.
std::int64_t seal_audit_trail_of(Storage& storage, const TenantId& tenant);

// The end of a tenant's chain.
struct ChainHead {
  std::int64_t sequence = 0;  // 0: nothing is sealed yet
  std::string hash;
};
BOOST_DESCRIBE_STRUCT(ChainHead, (), (sequence, hash))

Select<ChainHead> chain_head(const TenantId& tenant);

struct ChainReport {
  TenantId tenant;
  std::int64_t sealed = 0;
  std::int64_t waiting = 0;  // not sealed yet
  std::string head;          // the last hash; an operator who keeps a copy can prove that the chain was not rebuilt
  std::optional<std::string> problem;  // describes the first entry that does not match
};
BOOST_DESCRIBE_STRUCT(ChainReport, (), (tenant, sealed, waiting, head, problem))

// Recomputes the chain of one tenant, 500 entries at a time. Only reads.
ChainReport verify_chain(Tx& tx, const TenantId& tenant);

// Erased entries. The contents of an entry may have to be erased (people have that right), and then its hash cannot be
// recomputed. Before that, a certificate is sealed into the chain: an entry with a digest of the hashes of all entries
// before it. verify_chain() accepts erased entries only before a certificate, and recomputes its digest. So nothing but
// the contents can be changed by an erasure, and an erasure without a certificate is found.
struct ErasureCertificate {
  std::string id;
  std::int64_t entries = 0;  // before the certificate
  std::string digest;
};

// Seals the waiting entries of the tenant and then the certificate, as an entry with the action "erased".
ErasureCertificate certify_erasure(Storage& storage, const TenantId& tenant, const Actor& actor, Instant now);

// Erases actor, request, subject and changes of up to 500 of the tenant's entries after `sequence` and before the
// certificate. Moves `sequence` to the last one; returns their number.
std::int64_t erase_entries(Tx& tx, const TenantId& tenant, const ErasureCertificate& certificate,
                           std::int64_t& sequence);
// How far a verification in steps has come.
struct ChainPosition {
  std::int64_t sequence = 0;  // of the last entry that was verified
  std::string hash;
  std::string digest;            // of all hashes up to it, which a certificate of an erasure must name
  std::int64_t uncertified = 0;  // an erased entry after the last certificate; 0 if there is none
};
BOOST_DESCRIBE_STRUCT(ChainPosition, (), (sequence, hash, digest, uncertified))

// The result of one step.
struct ChainStep {
  ChainPosition verified;  // the next step begins after it
  ChainHead head;          // the end of the chain
  bool complete = false;
  std::optional<std::string> problem;  // describes the first entry that does not match
};

BOOST_DESCRIBE_STRUCT(ChainStep, (), (verified, head, complete, problem))

// Verifies at most 500 entries after `from`, which the step before has returned. Only reads.
ChainStep verify_chain_after(Tx& tx, const TenantId& tenant, const ChainPosition& from);

// Erases the changes, and the actor from the chat platform, of those of the next 500 entries that `matches` names.
std::int64_t erase_entries_if(Tx& tx, const TenantId& tenant, const ErasureCertificate& certificate,
                              std::int64_t& sequence, FunctionRef<bool(const StoredEntry&)> matches);

// Returns the tenants that have entries or a chain, sorted by id.
std::vector<TenantId> tenants_with_trails(Tx& tx);

}  // namespace guildhall
