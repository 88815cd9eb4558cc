#pragma once

#include "features/fulfilment/shipment.h"
#include "http/page.h"
#include "storage/database.h"

// All SQL of shipments.
namespace guildhall {

Select<Shipment> shipment_by_id(const TenantId& tenant, const ShipmentId& id);

// Newest first, after the position.
Select<Shipment> shipments_after(const TenantId& tenant, const http::Position& position, std::int64_t limit);

// Of whatever tenant, newest first: the provider's events name none. The only reads without a tenant; what they find
// is never shown to anybody.
Select<Shipment> shipments_of_provider_id(const std::string& provider_shipment_id);
Select<Shipment> shipments_of_tracker(const std::string& tracker_id);
Select<Shipment> shipments_of_tracking_number(const std::string& tracking_number);

void insert_shipment(Tx& tx, const Shipment& shipment);

// Writes the record over the version it was read at, counting the version up. Throws WriteRace if it has changed.
void update_shipment(Tx& tx, Shipment& shipment);

// Throws WriteRace if the record has changed since it was read.
void erase_shipment(Tx& tx, const Shipment& shipment);

}  // namespace guildhall
