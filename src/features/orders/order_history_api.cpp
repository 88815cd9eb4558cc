#include "features/orders/order_history_api.h"

#include "features/orders/order_store.h"
#include "features/orders/order_timeline.h"
#include "features/orders/price_trace.h"

namespace guildhall {

struct Timeline {
  std::vector<TimelineEntry> items;  // oldest first
};
BOOST_DESCRIBE_STRUCT(Timeline, (), (items))

namespace {

using http::Access, http::Call, http::Method, http::Reply, http::route;

constexpr std::int64_t timeline_rows_max = 1000;

Task<Order> found(Call& call, Database& db) {
  auto order = co_await db.one(order_by_id(call.tenant, OrderId(call.param(0))));
  if (!order) throw not_found("Order");
  co_return std::move(*order);
}

Task<Reply> pricing(Call& call, Database& db) {
  co_return http::json_reply(200, trace_of(co_await found(call, db)));
}

Task<Reply> timeline(Call& call, Database& db) {
  const Order order = co_await found(call, db);
  const auto trail = co_await db.all(audit_trail_of(call.tenant, {"order", order.id.text()}, timeline_rows_max));
  co_return http::json_reply(200, Timeline{timeline_of(trail)});
}

}  // namespace

std::vector<http::Route> order_history_routes(Database& db) {
  return {
      route(Method::get, "/api/data/order/:id/pricing", Access::data_read, "Explain an order's price", pricing, db)
          .gives<PriceTrace>(200, "The steps to the total."),
      route(Method::get, "/api/data/order/:id/timeline", Access::data_read, "What has happened to an order", timeline,
            db)
          .gives<Timeline>(200, "The first thousand changes, oldest first."),
  };
}

}  // namespace guildhall
