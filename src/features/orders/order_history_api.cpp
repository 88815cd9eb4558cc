#include "api/resource.h"
#include "features/orders/order_store.h"
#include "features/orders/order_timeline.h"
#include "features/orders/price_trace.h"
#include "features/orders/routes.h"

namespace guildhall {

namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

Task<Order> found(Call& call, Database& db) {
  auto order = co_await db.one(order_by_id(call.tenant, OrderId(call.param(0))));
  if (!order) throw not_found("Order");
  co_return std::move(*order);
}

Task<Reply> pricing(Call& call, Database& db) {
  co_return api::json_reply(200, trace_of(co_await found(call, db)));
}

// The timeline entries of one audit entry are never split between two pages.
void append_moments(std::string& out, const AuditEntry& entry, Currency currency) {
  bool first = true;
  for (const TimelineEntry& moment : moments_of(entry, currency)) {
    if (!std::exchange(first, false)) out += ',';
    Codec<TimelineEntry>::encode(out, moment);
  }
}

Task<Reply> timeline(Call& call, Database& db) {
  const auto query = call.query<api::ListQuery>();
  const OrderId id(call.param(0));
  Reply reply;
  reply.body = co_await db.read_to_show([&](Tx& tx) {
    const auto order = tx.one(order_by_id(call.tenant, id));
    if (!order) throw not_found("Order");
    return api::page_text(
        tx, query.size(), query.start(),
        [&](const Position& position, std::int64_t rows) {
          return audit_trail_of(call.tenant, {"order", id.text()}, position.id, rows);
        },
        [](const AuditEntry& entry) {
          return Position{entry.at, entry.id};
        },
        [&](std::string& out, const AuditEntry& entry) { append_moments(out, entry, order->currency); });
  });
  co_return reply;
}

}  // namespace

std::vector<api::Route> order_history_routes(Database& db) {
  return {
      route(Method::get, "/api/data/order/:id/pricing", Access::data_read, "Explain an order's price", pricing, db)
          .gives<PriceTrace>(200, "The steps to the total."),
      route(Method::get, "/api/data/order/:id/timeline", Access::data_read, "What has happened to an order", timeline,
            db)
          .takes_query<api::ListQuery>()
          .gives<api::Page<TimelineEntry>>(200,
                                           "Oldest first; limit counts changes, each of which may be several items."),
  };
}

}  // namespace guildhall
