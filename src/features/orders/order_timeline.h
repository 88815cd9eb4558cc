#pragma once

#include "audit/audit.h"
#include "base/json_object.h"
#include "features/orders/order_status.h"

// What has happened to an order, told from its audit rows.
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

// One row may be several moments: an edit that also moved the order.
std::vector<TimelineEntry> moments_of(const AuditEntry& entry);

// Who cancels orders that nobody has paid; their timeline says so.
Actor order_expiry_actor();

}  // namespace guildhall
