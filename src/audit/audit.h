#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/actor.h"
#include "base/declared.h"
#include "storage/database.h"

// The audit trail: every change leaves a row in its own transaction. Where all writes come one after the other anyway
// (SQLite), it is sealed into the tenant's hash chain with it. Elsewhere rows are plain inserts, which a background job
// seals later, so that a busy shop is not serialised by its own trail.
namespace guildhall {

struct AuditEntry {
  std::string id;
  TenantId tenant_id;
  Instant at;
  ActorKind actor_kind = ActorKind::SYSTEM;
  std::string actor_id;
  std::string request_id;
  std::string subject;  // the kind of record: customer, order
  std::string subject_id;
  std::string action;   // created, updated, deleted, or a word of the subject's own: paid, refunded
  std::string changes;  // JSON: {"field": {"before": …, "after": …}}
};
BOOST_DESCRIBE_STRUCT(AuditEntry, (),
                      (id, tenant_id, at, actor_kind, actor_id, request_id, subject, subject_id, action, changes))

struct Subject {
  std::string_view kind;
  std::string_view id;
};

// A record's rows after the given id (empty: from the first), oldest first.
Select<AuditEntry> audit_trail_of(const TenantId& tenant, Subject subject, const std::string& after_id,
                                  std::int64_t limit);

// `changes` is a JSON object; what is too long of it is cut and says so (audit_changes.h).
void audit(Tx& tx, const TenantId& tenant, const Actor& actor, Subject subject, std::string_view action,
           std::string changes, Instant now);

// The fields that differ between two versions of a record, as `changes`; null stands for no record. Of lists only the
// elements that differ appear, as `"items[2]"`. Hidden fields never appear.
std::string changes_between(const void* before, const void* after, std::span<const Field> fields);

// Records a creation (before is null), a deletion (after is null) or the fields that differ; nothing when none do.
template <Declared T>
void audit_change(Tx& tx, const TenantId& tenant, const Actor& actor, Subject subject, const T* before, const T* after,
                  Instant now) {
  std::string changes = changes_between(before, after, fields_of<T>());
  if (changes == "{}") return;
  const std::string_view action = before == nullptr ? "created" : after == nullptr ? "deleted" : "updated";
  audit(tx, tenant, actor, subject, action, std::move(changes), now);
}

}  // namespace guildhall
