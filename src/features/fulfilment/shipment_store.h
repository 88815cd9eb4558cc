#pragma once

#include "api/list.h"
#include "features/fulfilment/shipment.h"
#include "features/fulfilment/tracker.h"
#include "storage/database.h"

// All SQL of shipments.
namespace guildhall {

Select<Shipment> shipment_by_id(const TenantId& tenant, const ShipmentId& id);

struct ShipmentQuery : api::ListParams {
  OneOf<ShipmentStatus, "Shipments in one of these statuses."> status;
  Is<OrderId, "The shipments of this order."> order_id;
  Is<std::string, "Shipments with this tracking number."> tracking_number;
  Is<std::string, "Shipments with this carrier."> carrier;
  Search<"LOWER(COALESCE(tracking_number, '') || ' ' || COALESCE(carrier, ''))",
         "A part of the tracking number or carrier, in any case.">
      search;
  From<Instant, "created_at", "Created at this time or later."> created_from;
  To<Instant, "created_at", "Created at this time or earlier."> created_to;
  SortBy<"createdAt"> sort;
};
BOOST_DESCRIBE_STRUCT(ShipmentQuery, (api::ListParams),
                      (status, order_id, tracking_number, carrier, search, created_from, created_to, sort))

const Listing& shipment_listing();

// The statuses of the order's parcels, each once, without one of them; an empty id leaves none out.
std::vector<ShipmentStatus> statuses_of_parcels(Tx& tx, const TenantId& tenant, const OrderId& order,
                                                const ShipmentId& except);

// The keys by which an event of the shipping provider can identify a shipment.
enum class ShipmentName { provider_id, tracker_id, tracking_number };

struct NamedShipments {
  std::vector<Shipment> newest;  // all of one tenant
  bool in_several_tenants = false;
};

// The shipments of any tenant that match the key, newest first. A shipment whose stored provider id or
// tracker id contradicts the event is left out, since numbers are recycled. The provider's events name no tenant, so
// this is the only read without one; its result is never shown to anybody.
NamedShipments shipments_named(Tx& tx, ShipmentName by, const TrackerUpdate& event);

void insert_shipment(Tx& tx, const Shipment& shipment);

// Updates the record and increments its version. Throws WriteRace if it was changed since it was read.
void update_shipment(Tx& tx, Shipment& shipment);

// Throws WriteRace if the record was changed since it was read.
void erase_shipment(Tx& tx, const Shipment& shipment);

}  // namespace guildhall
