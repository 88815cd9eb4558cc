#include "features/fulfilment/shipment.h"

#include <algorithm>

namespace guildhall {
namespace {

constexpr std::size_t statuses = 5;
constexpr bool n = false, Y = true;

// From (row) to (column), in the order of the declaration.
constexpr bool moves[statuses][statuses] = {
    //           PENDING LABEL SHIPPED DELIVERED FAILED
    /* PENDING   */ {Y, Y, Y, Y, Y},
    /* LABEL     */ {n, Y, Y, Y, Y},
    /* SHIPPED   */ {n, n, Y, Y, Y},
    /* DELIVERED */ {n, n, n, Y, n},
    /* FAILED    */ {n, n, Y, Y, Y},
};

void note_time(Shipment& shipment, Instant at) {
  if (shipment.status == ShipmentStatus::SHIPPED && !shipment.shipped_at) shipment.shipped_at = at;
  if (shipment.status == ShipmentStatus::DELIVERED && !shipment.delivered_at) shipment.delivered_at = at;
}

}  // namespace

bool may_move(ShipmentStatus from, ShipmentStatus to) {
  return moves[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

void move_to(Shipment& shipment, ShipmentStatus status, Instant at) {
  if (!may_move(shipment.status, status)) {
    throw bad_request("INVALID_TRANSITION",
                      fmt::format("A shipment cannot go from {} to {}.", name_of(shipment.status), name_of(status)));
  }
  shipment.status = status;
  note_time(shipment, at);
}

Shipment shipment_from(const NewShipment& input, const TenantId& tenant, Instant now) {
  Shipment shipment{.id = ShipmentId::make(now),
                    .tenant_id = tenant,
                    .order_id = input.order_id,
                    .carrier = input.carrier,
                    .service = input.service,
                    .tracking_number = input.tracking_number,
                    .label_url = input.label_url,
                    .status = input.status,
                    .ship_from = input.ship_from,
                    .ship_to = input.ship_to,
                    .shipped_at = input.shipped_at,
                    .delivered_at = input.delivered_at,
                    .provider_shipment_id = input.provider_shipment_id,
                    .tracker_id = input.tracker_id,
                    .created_at = now,
                    .updated_at = now,
                    .version = {1},
                    .tracked_at = {}};
  note_time(shipment, now);
  return shipment;
}

void apply(const ShipmentPatch& patch, Shipment& shipment, Instant now) {
  if (patch.order_id.differs_from(shipment.order_id)) throw invalid_field("orderId", "cannot be changed");
  patch.carrier.apply_to(shipment.carrier);
  patch.service.apply_to(shipment.service);
  patch.tracking_number.apply_to(shipment.tracking_number);
  patch.label_url.apply_to(shipment.label_url);
  patch.ship_from.apply_to(shipment.ship_from);
  patch.ship_to.apply_to(shipment.ship_to);
  patch.shipped_at.apply_to(shipment.shipped_at);
  patch.delivered_at.apply_to(shipment.delivered_at);
  patch.provider_shipment_id.apply_to(shipment.provider_shipment_id);
  patch.tracker_id.apply_to(shipment.tracker_id);
  if (patch.status && *patch.status != shipment.status) move_to(shipment, *patch.status, now);
}

std::optional<OrderStatus> moved_by_parcels(OrderStatus order, const std::vector<ShipmentStatus>& parcels) {
  if (order < OrderStatus::PAID || order > OrderStatus::SHIPPED) return std::nullopt;
  const auto count = [&](ShipmentStatus status) { return std::count(parcels.begin(), parcels.end(), status); };
  const std::ptrdiff_t delivered = count(ShipmentStatus::DELIVERED), shipped = count(ShipmentStatus::SHIPPED);
  if (delivered > 0 && delivered == std::ssize(parcels)) return OrderStatus::COMPLETE;
  if (delivered + shipped > 0 && order < OrderStatus::SHIPPED) return OrderStatus::SHIPPED;
  return std::nullopt;
}

ShipmentPayload payload_of(const Shipment& shipment) {
  return {.shipment_id = shipment.id.text(),
          .order_id = shipment.order_id.text(),
          .order_number = std::nullopt,
          .customer_id = std::nullopt,
          .customer_chat_id = std::nullopt,
          .status = std::string(name_of(shipment.status)),
          .carrier = shipment.carrier,
          .service = shipment.service,
          .tracking_number = shipment.tracking_number,
          .detail = std::nullopt,
          .shipped_at = shipment.shipped_at,
          .delivered_at = shipment.delivered_at};
}

}  // namespace guildhall
