#include "api/resource.h"
#include "features/action.h"
#include "features/orders/order_actions.h"
#include "features/orders/order_body.h"
#include "features/orders/order_list.h"
#include "features/orders/order_store.h"
#include "features/orders/routes.h"
#include "storage/announced_reads.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

OrderId id_of(const Call& call) {
  return OrderId(call.param(0));
}

Task<Reply> post_order(Call& call, Database& db, const Events& events) {
  const auto place = [&](Tx& tx, const NewOrder& input) { return place_order(action_of(call, tx, events), input); };
  const auto reads_of = [&](const NewOrder& input) {
    return announced_reads([&](Tx& tx) { announce_order(action_of(call, tx, events), input); });
  };
  return api::create_one<NewOrder>(call, db, place, reads_of, [&](const api::Partial<NewOrder>& body) {
    return refuse_order(call, db, body.problems);
  });
}

Task<Reply> get_order(Call& call, Database& db) {
  return api::find_one(db, order_by_id(call.tenant, id_of(call)), "Order");
}

Task<Reply> list_orders(Call& call, Database& db) {
  return api::read_list(db, order_listing(), call.tenant, call.query<OrderQuery>(), append_row_json<Order>,
                        order_total);
}

Task<Reply> patch_order(Call& call, Database& db, const Events& events) {
  const auto body = call.partial_body<OrderPatch>();
  const OrderId id = id_of(call);
  if (!body.problems.empty()) co_await refuse_order(call, db, body.problems, &id);
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    return api::record_reply(200, change_order(action_of(call, tx, events), id, body.value,
                                               [&](const Order& order) { call.require_match(order.version); }));
  });
}

Task<Reply> erase_order(Call& call, Database& db, const Events& events) {
  return api::delete_one(call, db, [&](Tx& tx, const auto& precondition) {
    delete_order(action_of(call, tx, events), id_of(call), precondition);
  });
}

}  // namespace

std::vector<api::Route> order_routes(Database& db, const Events& events) {
  constexpr std::string_view all = "/api/data/order", one = "/api/data/order/:id";
  return {
      route(Method::post, all, Access::data_write, "Place an order, priced and discounted", post_order, db, events)
          .takes<NewOrder>()
          .gives<Order>(201, "The new order."),
      route(Method::get, all, Access::data_read, "A page of orders, newest first", list_orders, db)
          .takes_query<OrderQuery>()
          .gives<api::ListPage<Order>>(200, "The page."),
      route(Method::get, one, Access::data_read, "One order", get_order, db).gives<Order>(200, "The order."),
      route(Method::patch, one, Access::data_write, "Change an order", patch_order, db, events)
          .takes<OrderPatch>()
          .gives<Order>(200, "The changed order."),
      route(Method::del, one, Access::data_write, "Delete an order", erase_order, db, events)
          .gives(204, "It is hidden, and its number free."),
  };
}

}  // namespace guildhall
