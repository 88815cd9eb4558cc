#include "features/orders/order_api.h"

#include "features/orders/order_actions.h"
#include "features/orders/order_store.h"
#include "http/page.h"
#include "http/write_once.h"

namespace guildhall {
namespace {

using http::Access, http::Call, http::Method, http::Reply, http::route;

OrderId id_of(const Call& call) {
  return OrderId(call.param(0));
}

Task<Reply> create(Call& call, Database& db, const Events& events) {
  const auto input = call.body<NewOrder>();
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    return http::record_reply(201, place_order(tx, events, call.tenant, call.actor(), input, call.now));
  });
}

Task<Reply> find(Call& call, Database& db) {
  const auto order = co_await db.one(order_by_id(call.tenant, id_of(call)));
  if (!order) throw not_found("Order");
  co_return http::record_reply(200, *order);
}

Task<Reply> list(Call& call, Database& db) {
  const auto query = call.query<http::ListQuery>();
  auto rows = co_await db.all(orders_after(call.tenant, http::position_of(query), query.size() + 1));
  co_return http::json_reply(200, http::page_of(std::move(rows), query.size()));
}

Task<Reply> patch(Call& call, Database& db, const Events& events) {
  const auto changes = call.body<OrderPatch>();
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    return http::record_reply(200, change_order(tx, events, call.tenant, call.actor(), id_of(call), changes, call.now,
                                                [&](const Order& order) { call.require_match(order.version); }));
  });
}

Task<Reply> erase(Call& call, Database& db) {
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    delete_order(tx, call.tenant, call.actor(), id_of(call), call.now,
                 [&](const Order& order) { call.require_match(order.version); });
    return http::no_content();
  });
}

}  // namespace

std::vector<http::Route> order_routes(Database& db, const Events& events) {
  constexpr std::string_view all = "/api/data/order", one = "/api/data/order/:id";
  return {
      route(Method::post, all, Access::data_write, "Place an order, priced and discounted", create, db, events)
          .takes<NewOrder>()
          .gives<Order>(201, "The new order."),
      route(Method::get, all, Access::data_read, "A page of orders, newest first", list, db)
          .takes_query<http::ListQuery>()
          .gives<http::Page<Order>>(200, "The page."),
      route(Method::get, one, Access::data_read, "One order", find, db).gives<Order>(200, "The order."),
      route(Method::patch, one, Access::data_write, "Change an order", patch, db, events)
          .takes<OrderPatch>()
          .gives<Order>(200, "The changed order."),
      route(Method::del, one, Access::data_write, "Delete an order", erase, db)
          .gives(204, "It is hidden, and its number free."),
  };
}

}  // namespace guildhall
