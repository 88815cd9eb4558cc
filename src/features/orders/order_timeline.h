#pragma once

#include "audit/audit.h"
#include "base/field_types.h"
#include "features/orders/order_status.h"

// The history of an order, made from its audit entries.
namespace guildhall {

enum class OrderMoment { CREATED, PAID, STATUS_CHANGED, EXPIRED, DISCOUNT_APPLIED, DISCOUNT_REMOVED, EDITED };
BOOST_DESCRIBE_ENUM(OrderMoment, CREATED, PAID, STATUS_CHANGED, EXPIRED, DISCOUNT_APPLIED, DISCOUNT_REMOVED, EDITED)

struct TimelineEntry {
  Instant at;
  OrderMoment kind;
  ActorKind actor_kind;
  std::string actor_id;
  JsonObject changes;  // {"status": {"before": …, "after": …}}; empty for CREATED
};
BOOST_DESCRIBE_STRUCT(TimelineEntry, (), (at, kind, actor_kind, actor_id, changes))

// One audit entry can give several timeline entries, such as an edit that also changed the status.
std::vector<TimelineEntry> moments_of(const AuditEntry& entry);

// The actor that cancels unpaid orders. The timeline shows such a cancellation as EXPIRED.
Actor order_expiry_actor();

}  // namespace guildhall
