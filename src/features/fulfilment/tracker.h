#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_lookup.h"
#include "features/fulfilment/shipment.h"

// The shipping provider's tracking events, and how they change a shipment. Pure: no clock, no database.
namespace guildhall {

struct TrackerUpdate {
  std::string shipment_id;  // the provider's id; all members are empty if not sent
  std::string tracker_id;
  std::string tracking_code;
  std::string carrier;
  std::string status;
  std::string detail;
  std::optional<Instant> updated_at;
};

// Nothing for an event of another type.
std::optional<TrackerUpdate> tracker_update_of(const JsonLookup& event);

// Nothing for the provider's `unknown`, and for a status that is not in our table.
std::optional<ShipmentStatus> status_of(std::string_view provider_status);

// Of the shipments with a tracking code, those of the event's carrier; if there is none, those without a carrier.
std::vector<Shipment> of_carrier(std::vector<Shipment> shipments, std::string_view carrier);

// Applies an event. The status changes only as allowed, and only if the event is not older than the last one applied.
// Times are also taken from older events, so that they do not depend on the order of arrival. Returns whether anything
// changed.
bool apply(const TrackerUpdate& update, Shipment& shipment, Instant now);

// The same for a shipment that was matched only by its tracking number, which any tenant can have recorded: only the
// status and its time change, so that no other data of the event reaches that tenant.
bool apply_status(const TrackerUpdate& update, Shipment& shipment, Instant now);

}  // namespace guildhall
