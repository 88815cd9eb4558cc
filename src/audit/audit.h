#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/actor.h"
#include "base/declared.h"
#include "storage/database.h"

// The audit trail: every change inserts an entry in the same transaction. On SQLite, where all writes run one after the
// other, that transaction also seals the entry into the tenant's hash chain. On PostgreSQL a background job seals the
// entries later, so that the transactions of a tenant do not wait for one another.
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
  std::string action;                   // created, updated, deleted, or specific to the subject: paid, refunded
  std::string changes;                  // JSON: {"field": {"before": …, "after": …}}
  std::optional<std::int64_t> version;  // of the record after the change; null if it has none
};
BOOST_DESCRIBE_STRUCT(AuditEntry, (),
                      (id, tenant_id, at, actor_kind, actor_id, request_id, subject, subject_id, action, changes,
                       version))

struct Subject {
  std::string_view kind;
  std::string_view id;
};

// Selects the entries of a record after the given id (if empty: from the first), oldest first.
Select<AuditEntry> audit_trail_of(const TenantId& tenant, Subject subject, const std::string& after_id,
                                  std::int64_t limit);

// Inserts an entry. `changes` is a JSON object; values that are too long are cut and marked as such (audit_changes.h).
void audit(Tx& tx, const TenantId& tenant, const Actor& actor, Subject subject, std::string_view action,
           std::string changes, Instant now, std::optional<std::int64_t> version = std::nullopt);

// Returns the fields that differ between two versions of a record, in the format of `changes`; null stands for no
// record. Of lists only the elements that differ are included, as `"items[2]"`. Hidden fields are never included.
std::string changes_between(const void* before, const void* after, std::span<const Field> fields);

// Records a creation (before is null), a deletion (after is null) or the fields that differ. Inserts no entry when no
// field differs.
template <Declared T>
void audit_change(Tx& tx, const TenantId& tenant, const Actor& actor, Subject subject, const T* before, const T* after,
                  Instant now) {
  std::string changes = changes_between(before, after, fields_of<T>());
  if (changes == "{}") return;
  const std::string_view action = before == nullptr ? "created" : after == nullptr ? "deleted" : "updated";
  std::optional<std::int64_t> version;
  if constexpr (requires { after->version.value; }) {
    if (after != nullptr) version = after->version.value;
  }
  audit(tx, tenant, actor, subject, action, std::move(changes), now, version);
}

// The transaction, tenant, actor and time of a change, as its audit entries need them. It refers to the transaction and
// the tenant: do not keep it beyond the call.
struct AuditContext {
  Tx& tx;
  const TenantId& tenant;
  Actor actor;  // for the audit trail; no rule may depend on it
  Instant now;

  AuditContext by(const Actor& other) const { return {tx, tenant, other, now}; }

  // The same in another tenant.
  AuditContext in_tenant(const TenantId& other) const { return {tx, other, actor, now}; }

  void audit(Subject subject, std::string_view action, std::string changes = "{}") const {
    guildhall::audit(tx, tenant, actor, subject, action, std::move(changes), now);
  }

  // See guildhall::audit_change.
  template <Declared T>
  void audit_change(Subject subject, const T* before, const T* after) const {
    guildhall::audit_change(tx, tenant, actor, subject, before, after, now);
  }

  template <Declared T>
  void audit_created(Subject subject, const T& record) const {
    audit_change<T>(subject, nullptr, &record);
  }

  template <Declared T>
  void audit_deleted(Subject subject, const T& record) const {
    audit_change<T>(subject, &record, nullptr);
  }
};

}  // namespace guildhall
