#pragma once

#include "audit/audit.h"
#include "base/field_types.h"
#include "features/orders/order.h"
#include "outbox/events.h"

// The history of an order. It is made from the audit entries of the order; refunds and parcels write such an entry,
// too.
namespace guildhall {

enum class OrderMoment {
  CREATED,
  PAID,
  STATUS_CHANGED,
  EXPIRED,
  DISCOUNT_APPLIED,
  DISCOUNT_REMOVED,
  PRICE_OVERRIDDEN,
  PARCEL,
  REFUND,
  INVOICE_LINK_MADE,
  INVOICE_LINKS_REVOKED,
  EDITED
};
BOOST_DESCRIBE_ENUM(OrderMoment, CREATED, PAID, STATUS_CHANGED, EXPIRED, DISCOUNT_APPLIED, DISCOUNT_REMOVED,
                    PRICE_OVERRIDDEN, PARCEL, REFUND, INVOICE_LINK_MADE, INVOICE_LINKS_REVOKED, EDITED)

struct TimelineEntry {
  Instant at;
  OrderMoment kind;
  ActorKind actor_kind;
  std::string actor_id;
  JsonObject changes;  // {"status": {"before": …, "after": …}}; empty for CREATED
  std::string text;    // one or more sentences for people
};
BOOST_DESCRIBE_STRUCT(TimelineEntry, (), (at, kind, actor_kind, actor_id, changes, text))

// One audit entry can give several timeline entries, such as an edit that also changed the status. `currency` is the
// order's, the currency of amounts whose entry names no other.
std::vector<TimelineEntry> moments_of(const AuditEntry& entry, Currency currency);

// Writes the audit entry of a changed order: the fields that differ and, for the timeline, the amounts that this change
// has set by hand and the parcel (may be null) that it is about.
void audit_order_change(const ActionContext& context, const Order& before, const Order& after,
                        const ShipmentPayload* parcel);

// A refund of an order, as the timeline shows it.
struct RefundMoment {
  std::string refund_id;
  Cents amount_cents;
  std::string currency;
  std::string status;  // PENDING, DONE or FAILED
  bool through_processor = false;
  std::optional<std::string> reason;
  std::optional<std::string> error;
};
BOOST_DESCRIBE_STRUCT(RefundMoment, (), (refund_id, amount_cents, currency, status, through_processor, reason, error))

// Adds an entry to the order's history. The order need not exist.
void record_refund(const ActionContext& context, const OrderId& order, const RefundMoment& refund);

// The same for a parcel that the order does not show because it has a newer one. `moved`: its status has changed.
void record_parcel(const ActionContext& context, const OrderId& order, const ShipmentPayload& parcel, bool moved);

// The actor that cancels unpaid orders. The timeline shows such a cancellation as EXPIRED.
Actor order_expiry_actor();

}  // namespace guildhall
