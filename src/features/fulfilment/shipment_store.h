#pragma once

#include "api/page.h"
#include "features/fulfilment/shipment.h"
#include "features/fulfilment/tracker.h"
#include "storage/database.h"

// All SQL of shipments.
namespace guildhall {

Select<Shipment> shipment_by_id(const TenantId& tenant, const ShipmentId& id);

// A page after the position, newest first.
Select<Shipment> shipments_after(const TenantId& tenant, const Position& position, std::int64_t limit);

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
