#include "features/fulfilment/tracker.h"

#include <algorithm>

namespace guildhall {
namespace {

struct Word {
  std::string_view provider;
  ShipmentStatus status;
};

constexpr Word words[] = {
    {"pre_transit", ShipmentStatus::LABEL_CREATED},
    {"in_transit", ShipmentStatus::SHIPPED},
    {"out_for_delivery", ShipmentStatus::SHIPPED},
    {"available_for_pickup", ShipmentStatus::SHIPPED},
    {"delivered", ShipmentStatus::DELIVERED},
    {"return_to_sender", ShipmentStatus::FAILED},
    {"failure", ShipmentStatus::FAILED},
    {"cancelled", ShipmentStatus::FAILED},
    {"error", ShipmentStatus::FAILED},
};

constexpr std::size_t key_bytes_max = 255;

bool fill(std::optional<std::string>& field, const std::string& value) {
  if (field || value.empty() || value.size() > key_bytes_max) return false;
  field = value;
  return true;
}

bool take_earlier(std::optional<Instant>& field, Instant at) {
  if (field && *field <= at) return false;
  field = at;
  return true;
}

bool equal_without_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool move(const TrackerUpdate& update, Shipment& shipment, ShipmentStatus to) {
  auto& last = shipment.tracked_at.value;
  if (update.updated_at && last && *update.updated_at < *last) return false;
  if (!may_move(shipment.status, to)) return false;
  const bool changed = shipment.status != to || (update.updated_at && last != update.updated_at);
  shipment.status = to;
  if (update.updated_at) last = update.updated_at;
  return changed;
}

}  // namespace

std::optional<TrackerUpdate> tracker_update_of(const JsonLookup& event) {
  if (event.text("/description") != "tracker.updated") return std::nullopt;
  return TrackerUpdate{.shipment_id = event.text("/result/shipment_id"),
                       .tracker_id = event.text("/result/id"),
                       .tracking_code = event.text("/result/tracking_code"),
                       .carrier = event.text("/result/carrier"),
                       .status = event.text("/result/status"),
                       .detail = event.text("/result/status_detail"),
                       .updated_at = parse_instant(event.text("/result/updated_at"))};
}

std::optional<ShipmentStatus> status_of(std::string_view provider_status) {
  for (const Word& word : words) {
    if (word.provider == provider_status) return word.status;
  }
  return std::nullopt;
}

std::vector<Shipment> of_carrier(std::vector<Shipment> shipments, std::string_view carrier) {
  if (carrier.empty()) return shipments;
  std::vector<Shipment> same, unknown;
  for (Shipment& shipment : shipments) {
    if (!shipment.carrier) {
      unknown.push_back(std::move(shipment));
    } else if (equal_without_case(*shipment.carrier, carrier)) {
      same.push_back(std::move(shipment));
    }
  }
  return same.empty() ? unknown : same;
}

bool apply(const TrackerUpdate& update, Shipment& shipment, Instant now) {
  bool changed = fill(shipment.provider_shipment_id, update.shipment_id);
  changed |= fill(shipment.tracker_id, update.tracker_id);
  changed |= fill(shipment.tracking_number, update.tracking_code);
  changed |= fill(shipment.carrier, update.carrier);
  const auto status = status_of(update.status);
  if (!status) return changed;
  const Instant at = update.updated_at.value_or(now);
  if (status == ShipmentStatus::SHIPPED) changed |= take_earlier(shipment.shipped_at, at);
  if (status == ShipmentStatus::DELIVERED) changed |= take_earlier(shipment.delivered_at, at);
  return move(update, shipment, *status) || changed;
}

bool apply_status(const TrackerUpdate& update, Shipment& shipment, Instant now) {
  const auto status = status_of(update.status);
  if (!status || !move(update, shipment, *status)) return false;
  move_to(shipment, *status, update.updated_at.value_or(now));  // sets its time
  return true;
}

}  // namespace guildhall
