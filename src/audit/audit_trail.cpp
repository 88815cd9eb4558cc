#include "audit/audit_trail.h"

#include "storage/columns.h"

namespace guildhall {
namespace {

const std::string select_records = "SELECT " + columns<AuditRecord>() +
                                   " FROM audit_entries WHERE tenant_id = $1 AND (at, id) < ($2, $3)"
                                   " AND at >= $5 AND at <= $6"
                                   " AND (CAST($7 AS text) IS NULL OR actor_id = $7)"
                                   " AND (CAST($8 AS text) IS NULL OR action = $8)";
const std::string newest_first = " ORDER BY at DESC, id DESC LIMIT $4";

// There is an index for the entries of one record, which the engines use only for a plain comparison.
const Sql of_subject_sql(select_records + " AND subject = $9 AND subject_id = $10" + newest_first);
const Sql of_all_sql(select_records +
                     " AND (CAST($9 AS text) IS NULL OR subject = $9)"
                     " AND (CAST($10 AS text) IS NULL OR subject_id = $10)" +
                     newest_first);

}  // namespace

Select<AuditRecord> audit_records(const TenantId& tenant, const AuditFilter& filter, Instant at, const std::string& id,
                                  std::int64_t limit) {
  const bool of_subject = filter.subject && filter.subject_id;
  return {
      {of_subject ? &of_subject_sql : &of_all_sql,
       params(tenant, at, id, limit, filter.from.value_or(Instant{INT64_MIN}), filter.to.value_or(Instant{INT64_MAX}),
              filter.actor_id, filter.action, filter.subject, filter.subject_id)},
      read_row<AuditRecord>};
}

}  // namespace guildhall
