#pragma once

#include <optional>
#include <string>

#include "audit/audit.h"
#include "base/field_types.h"

// Reading the audit trail.
namespace guildhall {

// An entry as the API returns it.
struct AuditRecord {
  std::string id;
  TenantId tenant_id;
  Instant at;
  ActorKind actor_kind = ActorKind::SYSTEM;
  std::string actor_id;
  std::string request_id;
  std::string subject;
  std::string subject_id;
  std::string action;
  RawJson changes;
  std::optional<std::int64_t> sequence;  // position in the tenant's hash chain; null until the entry is sealed
  std::optional<std::string> hash;
};
BOOST_DESCRIBE_STRUCT(AuditRecord, (),
                      (id, tenant_id, at, actor_kind, actor_id, request_id, subject, subject_id, action, changes,
                       sequence, hash))

}  // namespace guildhall
