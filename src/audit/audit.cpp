#include "audit/audit.h"

#include "audit/audit_chain.h"
#include "audit/audit_changes.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

const Sql insert_sql(insert_into<AuditEntry>("audit_entries"));

void append(const Field& field, const void* record, std::string& text) {
  if (record == nullptr) {
    text += "null";
  } else {
    field.encode(text, record);
  }
}

// Fields that change with every write, or never, and carry no information.
bool is_bookkeeping(const Field& field) {
  return field.column == "updated_at" || field.column == "created_at" || field.column == "id" ||
         field.column == "tenant_id";
}

const Sql trail_sql(select_from<AuditEntry>("audit_entries") +
                    " WHERE tenant_id = $1 AND subject = $2 AND subject_id = $3 AND id > $4 ORDER BY id LIMIT $5");

}  // namespace

Select<AuditEntry> audit_trail_of(const TenantId& tenant, Subject subject, const std::string& after_id,
                                  std::int64_t limit) {
  return {{&trail_sql, params(tenant, std::string(subject.kind), std::string(subject.id), after_id, limit)},
          read_row<AuditEntry>};
}

void audit(Tx& tx, const TenantId& tenant, const Actor& actor, Subject subject, std::string_view action,
           std::string changes, Instant now, std::optional<std::int64_t> version) {
  const AuditEntry entry{.id = make_uuid(now),
                         .tenant_id = tenant,
                         .at = now,
                         .actor_kind = actor.kind,
                         .actor_id = actor.id,
                         .request_id = actor.request_id,
                         .subject = std::string(subject.kind),
                         .subject_id = std::string(subject.id),
                         .action = std::string(action),
                         .changes = bounded_changes(std::move(changes)),
                         .version = version};
  if (tx.has_single_writer()) return insert_sealed(tx, entry);
  tx.later({&insert_sql, values_of(entry)});
}

std::string changes_between(const void* before, const void* after, std::span<const Field> fields) {
  json::Scratch changes, old_value, new_value;
  changes.text = "{";
  for (const Field& field : fields) {
    if (field.hidden || is_bookkeeping(field)) continue;
    old_value.text.clear();
    new_value.text.clear();
    append(field, before, old_value.text);
    append(field, after, new_value.text);
    append_change(changes.text, field.key, old_value.text, new_value.text);
  }
  return changes.text + "}";
}

}  // namespace guildhall
