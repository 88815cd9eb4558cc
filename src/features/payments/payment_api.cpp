#include "api/resource.h"
#include "features/payments/payment_actions.h"
#include "features/payments/payment_store.h"
#include "features/payments/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct PaymentQuery {
  std::optional<Bounded<1, 200>> limit;
  std::optional<Position> cursor;
  std::optional<bool> attention;
  std::optional<Reference> order_id;
};
BOOST_DESCRIBE_STRUCT(PaymentQuery, (), (limit, cursor, attention, order_id))

// Lists the payments of one order. An order has few, so all are on one page.
Task<Reply> list_of_order(const Call& call, Database& db, const PaymentQuery& query) {
  api::Page<PaymentView> page;
  for (const Payment& payment : co_await db.all(payments_of_order(call.tenant, OrderId(query.order_id->value)))) {
    if (!query.attention.value_or(false) || payment.attention) page.items.push_back(view_of(payment));
  }
  co_return api::json_reply(200, page);
}

Task<Reply> list(Call& call, Database& db) {
  const auto query = call.query<PaymentQuery>();
  if (query.order_id) co_return co_await list_of_order(call, db, query);
  co_return co_await api::read_page(db, {query.limit, query.cursor}, [&](const Position& position, std::int64_t rows) {
    auto select = payments_after(call.tenant, query.attention.value_or(false), position, rows);
    return Select<PaymentView>{std::move(select.query), [](const Row& row) { return view_of(read_row<Payment>(row)); }};
  });
}

struct Resolution {
  Text<1000> note;
};
BOOST_DESCRIBE_STRUCT(Resolution, (), (note))

Task<Reply> resolve(Call& call, Database& db, const Events& events) {
  const auto input = call.body<Resolution>();
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    return api::json_reply(200, view_of(resolve_attention({tx, events, call.tenant, call.actor(), call.now},
                                                          PaymentId(call.param(0)), input.note)));
  });
}

}  // namespace

std::vector<api::Route> payment_routes(Database& db, const Events& events) {
  return {
      route(Method::get, "/api/admin/payments", Access::admin,
            "Payments; with attention=true those that somebody should look at", list, db)
          .takes_query<PaymentQuery>()
          .gives<api::Page<PaymentView>>(200, "Newest first."),
      route(Method::post, "/api/admin/payments/:id/resolve", Access::admin, "Somebody has looked at a flagged payment",
            resolve, db, events)
          .takes<Resolution>()
          .gives<PaymentView>(200, "The payment, without its flag; the note is in the audit trail."),
  };
}

}  // namespace guildhall
