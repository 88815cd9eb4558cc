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
  Shipment shipment = input.made(tenant, now);
  note_time(shipment, now);
  return shipment;
}

void apply(const ShipmentPatch& patch, Shipment& shipment, Instant now) {
  patch.apply_to(shipment);
  const ShipmentStatus status = patch.record.status;
  if (patch.gives<&Shipment::status>() && status != shipment.status) move_to(shipment, status, now);
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
