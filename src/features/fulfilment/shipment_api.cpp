#include "api/resource.h"
#include "features/action.h"
#include "features/fulfilment/routes.h"
#include "features/fulfilment/shipment_actions.h"
#include "features/fulfilment/shipment_store.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

ShipmentId id_of(const Call& call) {
  return ShipmentId(call.param(0));
}

Task<Reply> create(Call& call, Database& db, const Events& events) {
  return api::create_one<NewShipment>(
      call, db, [&](Tx& tx, const NewShipment& input) { return create_shipment(action_of(call, tx, events), input); });
}

Task<Reply> find(Call& call, Database& db) {
  return api::find_one(db, shipment_by_id(call.tenant, id_of(call)), "Shipment");
}

Task<Reply> list(Call& call, Database& db) {
  return api::list_records<ShipmentQuery, Shipment>(call, db, shipment_listing());
}

Task<Reply> patch(Call& call, Database& db, const Events& events) {
  return api::patch_one<ShipmentPatch>(call, db, [&](Tx& tx, const auto& edit) {
    return change_shipment(action_of(call, tx, events), id_of(call), edit);
  });
}

Task<Reply> erase(Call& call, Database& db, const Events& events) {
  return api::delete_one(call, db, [&](Tx& tx, const auto& precondition) {
    delete_shipment(action_of(call, tx, events), id_of(call), precondition);
  });
}

}  // namespace

std::vector<api::Route> shipment_routes(Database& db, const Events& events) {
  constexpr std::string_view all = "/api/data/shipment", one = "/api/data/shipment/:id";
  return {
      route(Method::post, all, Access::data_write, "Record a shipment of an order", create, db, events)
          .takes<NewShipment>()
          .gives<Shipment>(201, "The new shipment."),
      route(Method::get, all, Access::data_read, "A page of shipments", list, db)
          .takes_query<ShipmentQuery>()
          .gives<api::ListPage<Shipment>>(200, "Newest first."),
      route(Method::get, one, Access::data_read, "One shipment", find, db).gives<Shipment>(200, "The shipment."),
      route(Method::patch, one, Access::data_write, "Change a shipment", patch, db, events)
          .takes<ShipmentPatch>()
          .gives<Shipment>(200, "The changed shipment."),
      route(Method::del, one, Access::data_write, "Delete a shipment", erase, db, events)
          .gives(204, "It is gone, and its order shows no shipment."),
  };
}

}  // namespace guildhall
