#pragma once

#include "features/fulfilment/shipment_store.h"
#include "features/records.h"
#include "outbox/verdict.h"
#include "storage/storage.h"

// Actions on shipments, inside the caller's transaction. Each keeps the order that shows the shipment in
// step (shippingStatus, shipmentId, trackingNumber), moves the order's status unless the tenant has switched that off
// (parcelsMoveOrders), and emits the events: shipment.shipped (together with order.shipped, if the order has not been
// marked shipped before), shipment.delivered, shipment.exception.
namespace guildhall {

inline constexpr Records<Shipment> shipment_records{.name = "Shipment",
                                                    .subject = "shipment",
                                                    .by_id = shipment_by_id,
                                                    .update = update_shipment,
                                                    .remove = erase_shipment};

// An order shows its newest shipment. The order need not exist.
Shipment create_shipment(const ActionContext& context, const NewShipment& input);

// Reads, lets `edit` change the record (or throw), and writes it back. `detail` is the carrier's word on what happened.
// Throws not_found if the tenant has no such shipment: we never reveal that another tenant does.
Shipment change_shipment(const ActionContext& context, const ShipmentId& id, FunctionRef<void(Shipment&)> edit,
                         const std::optional<std::string>& detail = std::nullopt);

// An order that shows the shipment shows none afterwards. `precondition` may throw. Throws not_found.
void delete_shipment(const ActionContext& context, const ShipmentId& id,
                     FunctionRef<void(const Shipment&)> precondition);

constexpr std::string_view paid_order_topic = "order.parcels";

// An order that is paid after its parcels were sent or have arrived moves as they would have moved it, right after the
// commit of the payment.
void subscribe_shipments(Events& events);

// The outbox's handler of paid_order_topic.
outbox::Verdict move_paid_order(Storage& storage, const Events& events, const outbox::Delivery& delivery);

}  // namespace guildhall
