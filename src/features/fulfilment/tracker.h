#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_lookup.h"
#include "features/fulfilment/shipment.h"

// What the shipping provider says about a parcel, and what that makes of ours. Pure: no clock, no database.
namespace guildhall {

struct TrackerUpdate {
  std::string shipment_id;  // the provider's; empty, as all of these, when it is not said
  std::string tracker_id;
  std::string tracking_code;
  std::string carrier;
  std::string status;
  std::string detail;
  std::optional<Instant> updated_at;
};

// Nothing for every other event.
std::optional<TrackerUpdate> tracker_update_of(const JsonLookup& event);

// Nothing for one that says nothing: unknown, or a word we do not know.
std::optional<ShipmentStatus> status_of(std::string_view provider_status);

// Those shipments of a tracking code that the carrier fits: its own, or else those of which no carrier is known.
std::vector<Shipment> of_carrier(std::vector<Shipment> shipments, std::string_view carrier);

// The status moves only as it may, and only by an event that is not older than the last applied. Times that an older
// event knows better are taken, so that they do not depend on the order of arrival. Returns whether anything changed.
bool apply(const TrackerUpdate& update, Shipment& shipment, Instant now);

// The same for a shipment that was matched by its tracking number alone, which anybody can have recorded: only the
// status moves, with the time at which it is reached. Nothing else is learnt.
bool apply_status(const TrackerUpdate& update, Shipment& shipment, Instant now);

}  // namespace guildhall
