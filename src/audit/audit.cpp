#include "audit/audit.h"

#include "audit/audit_chain.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

const Sql insert_sql("INSERT INTO audit_entries (" + columns<AuditEntry>() + ") VALUES (" + placeholders<AuditEntry>() +
                     ")");

void append(const Field& field, const void* record, std::string& text) {
  if (record == nullptr) {
    text += "null";
  } else {
    field.encode(text, record);
  }
}

// These change with every write and say nothing.
bool is_bookkeeping(const Field& field) {
  return field.column == "updated_at" || field.column == "created_at" || field.column == "id" ||
         field.column == "tenant_id";
}

const Sql trail_sql(
    "SELECT " + columns<AuditEntry>() +
    " FROM audit_entries WHERE tenant_id = $1 AND subject = $2 AND subject_id = $3 ORDER BY id LIMIT $4");

}  // namespace

Select<AuditEntry> audit_trail_of(const TenantId& tenant, Subject subject, std::int64_t limit) {
  return {{&trail_sql, params(tenant, std::string(subject.kind), std::string(subject.id), limit)},
          read_row<AuditEntry>};
}

void audit(Tx& tx, const TenantId& tenant, const Actor& actor, Subject subject, std::string_view action,
           std::string changes, Instant now) {
  const AuditEntry entry{.id = make_uuid(now),
                         .tenant_id = tenant,
                         .at = now,
                         .actor_kind = actor.kind,
                         .actor_id = actor.id,
                         .request_id = actor.request_id,
                         .subject = std::string(subject.kind),
                         .subject_id = std::string(subject.id),
                         .action = std::string(action),
                         .changes = std::move(changes)};
  if (tx.writes_alone()) return insert_sealed(tx, entry);
  tx.later({&insert_sql, values_of(entry)});
}

std::string changes_between(const void* before, const void* after, std::span<const Field> fields) {
  constexpr std::string_view between = R"(,"after":)";
  json::Scratch scratch;
  std::string& changes = scratch.text;
  changes = "{";
  for (const Field& field : fields) {
    if (field.hidden || is_bookkeeping(field)) continue;
    const std::size_t start = changes.size();
    if (start > 1) changes += ',';
    json::append_string(changes, field.key);
    changes += R"(:{"before":)";
    const std::size_t old_start = changes.size();
    append(field, before, changes);
    const std::size_t old_end = changes.size();
    changes += between;
    append(field, after, changes);
    const std::string_view all = changes;
    if (all.substr(old_start, old_end - old_start) == all.substr(old_end + between.size())) {
      changes.resize(start);  // unchanged
    } else {
      changes += '}';
    }
  }
  return changes + "}";
}

}  // namespace guildhall
