#include "features/fulfilment/shipment_api.h"

#include "features/fulfilment/shipment_actions.h"
#include "features/fulfilment/shipment_store.h"
#include "http/page.h"
#include "http/write_once.h"

namespace guildhall {
namespace {

using http::Access, http::Call, http::Method, http::Reply, http::route;

ShipmentId id_of(const Call& call) {
  return ShipmentId(call.param(0));
}

Task<Reply> create(Call& call, Database& db, const Events& events) {
  const auto input = call.body<NewShipment>();
  const Actor actor = call.actor();
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    return http::record_reply(201, create_shipment({tx, events, call.tenant, actor, call.now}, input));
  });
}

Task<Reply> find(Call& call, Database& db) {
  const auto shipment = co_await db.one(shipment_by_id(call.tenant, id_of(call)));
  if (!shipment) throw not_found("Shipment");
  co_return http::record_reply(200, *shipment);
}

Task<Reply> list(Call& call, Database& db) {
  const auto query = call.query<http::ListQuery>();
  auto rows = co_await db.all(shipments_after(call.tenant, http::position_of(query), query.size() + 1));
  co_return http::json_reply(200, http::page_of(std::move(rows), query.size()));
}

Task<Reply> patch(Call& call, Database& db, const Events& events) {
  const auto changes = call.body<ShipmentPatch>();
  const Actor actor = call.actor();
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    return http::record_reply(
        200, change_shipment({tx, events, call.tenant, actor, call.now}, id_of(call), [&](Shipment& shipment) {
          call.require_match(shipment.version);
          apply(changes, shipment, call.now);
        }));
  });
}

Task<Reply> erase(Call& call, Database& db, const Events& events) {
  const Actor actor = call.actor();
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    delete_shipment({tx, events, call.tenant, actor, call.now}, id_of(call),
                    [&](const Shipment& shipment) { call.require_match(shipment.version); });
    return http::no_content();
  });
}

}  // namespace

std::vector<http::Route> shipment_routes(Database& db, const Events& events) {
  constexpr std::string_view all = "/api/data/shipment", one = "/api/data/shipment/:id";
  return {
      route(Method::post, all, Access::data_write, "Record a shipment of an order", create, db, events)
          .takes<NewShipment>()
          .gives<Shipment>(201, "The new shipment."),
      route(Method::get, all, Access::data_read, "A page of shipments", list, db)
          .takes_query<http::ListQuery>()
          .gives<http::Page<Shipment>>(200, "Newest first."),
      route(Method::get, one, Access::data_read, "One shipment", find, db).gives<Shipment>(200, "The shipment."),
      route(Method::patch, one, Access::data_write, "Change a shipment", patch, db, events)
          .takes<ShipmentPatch>()
          .gives<Shipment>(200, "The changed shipment."),
      route(Method::del, one, Access::data_write, "Delete a shipment", erase, db, events)
          .gives(204, "It is gone, and its order shows no shipment."),
  };
}

}  // namespace guildhall
