#include "features/fulfilment/routes.h"
#include "features/fulfilment/shipment_actions.h"
#include "features/fulfilment/shipment_store.h"
#include "features/resource.h"

namespace guildhall {

static constexpr Resource<NewShipment, ShipmentPatch, ShipmentQuery> shipment_resource{
    .path = "/api/data/shipment",
    .noun = "shipment",
    .records = shipment_records,
    .listing = shipment_listing,
    .create = create_shipment,
    .change = [](const ActionContext& context, const ShipmentId& id,
                 FunctionRef<void(Shipment&)> edit) { return change_shipment(context, id, edit); },
    .erase = delete_shipment,
    .texts = {.create = "Record a shipment of an order",
              .list = "A page of shipments",
              .page = "Newest first.",
              .erased = "It is gone, and its order shows no shipment."},
};

std::vector<api::Route> shipment_routes(Database& db, const Events& events) {
  return shipment_resource.routes(db, events);
}

}  // namespace guildhall
