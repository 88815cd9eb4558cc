#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/field_types.h"
#include "base/inputs.h"
#include "base/url.h"
#include "features/orders/order_events.h"
#include "features/orders/order_status.h"

// A shipment (parcel) of an order, and its status. Pure: no clock, no database.
namespace guildhall {

using ShipmentId = Id<struct ShipmentTag>;
using ShipmentStatus = OrderShippingStatus;  // an order shows the status of its shipment

struct PostalAddress {
  AddressText name;
  AddressText line1;
  std::optional<AddressText> line2;
  AddressText city;
  AddressText state;
  AddressText postal_code;
  Country country;
  std::optional<AddressText> phone;
};
BOOST_DESCRIBE_STRUCT(PostalAddress, (), (name, line1, line2, city, state, postal_code, country, phone))

struct Shipment {
  ShipmentId id;
  TenantId tenant_id;
  OrderId order_id;
  std::optional<std::string> carrier;
  std::optional<std::string> service;
  std::optional<std::string> tracking_number;
  std::optional<std::string> label_url;
  ShipmentStatus status = ShipmentStatus::PENDING;
  std::optional<PostalAddress> ship_from;
  std::optional<PostalAddress> ship_to;
  std::optional<Instant> shipped_at;
  std::optional<Instant> delivered_at;
  std::optional<std::string> provider_shipment_id;
  std::optional<std::string> tracker_id;
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
  Hidden<std::optional<Instant>> tracked_at;  // the provider's time of the last event that was applied
};
BOOST_DESCRIBE_STRUCT(Shipment, (),
                      (id, tenant_id, order_id, carrier, service, tracking_number, label_url, status, ship_from,
                       ship_to, shipped_at, delivered_at, provider_shipment_id, tracker_id, created_at, updated_at,
                       version, tracked_at))

using ShipmentInputs =
    Inputs<Fixed<&Shipment::order_id>, Optional<&Shipment::carrier, Key>, Optional<&Shipment::service>,
           Optional<&Shipment::tracking_number, Key>, Optional<&Shipment::label_url, Url>, ByCode<&Shipment::status>,
           Optional<&Shipment::ship_from>, Optional<&Shipment::ship_to>, Optional<&Shipment::shipped_at>,
           Optional<&Shipment::delivered_at>, Optional<&Shipment::provider_shipment_id, Key>,
           Optional<&Shipment::tracker_id, Key>>;
struct NewShipment : New<ShipmentInputs> {};
struct ShipmentPatch : Patch<ShipmentInputs> {};

// Whether the status may change: forward along PENDING → LABEL_CREATED → SHIPPED → DELIVERED, with steps skipped; to
// FAILED from any but DELIVERED; from FAILED to SHIPPED or DELIVERED. The same status is always allowed.
bool may_move(ShipmentStatus from, ShipmentStatus to);

// Sets the status, and the time at which it was reached if that is not set. Throws INVALID_TRANSITION.
void move_to(Shipment& shipment, ShipmentStatus status, Instant at);

Shipment shipment_from(const NewShipment& input, const TenantId& tenant, Instant now);

// Throws INVALID_TRANSITION.
void apply(const ShipmentPatch& patch, Shipment& shipment, Instant now);

ShipmentPayload payload_of(const Shipment& shipment);

// The status to which its parcels move an order: SHIPPED if one of them is on its way or has arrived, COMPLETE if all
// have arrived. Nothing if the order stays where it is; only a PAID, FULFILLING or SHIPPED order moves, and only
// forward.
std::optional<OrderStatus> moved_by_parcels(OrderStatus order, const std::vector<ShipmentStatus>& parcels);

}  // namespace guildhall
