#include "api/resource.h"
#include "features/orders/order_actions.h"
#include "features/orders/order_body.h"
#include "features/orders/price_trace.h"
#include "features/orders/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

// The part of a new order that its price depends on.
struct QuoteInput {
  using Record = NewOrder;
  NonEmpty<NewOrderItem> items;
  std::optional<Currency> currency;  // null: the shop's
  std::optional<CustomerId> customer_id;
  Default<KeyList> customer_role_ids{};
  std::optional<Key> discount_code;
};
BOOST_DESCRIBE_STRUCT(QuoteInput, (), (items, currency, customer_id, customer_role_ids, discount_code))

struct Quote {
  Currency currency;
  std::vector<PriceStep> steps;
  std::optional<AppliedDiscount> discount;
  Cents subtotal_cents;
  Cents discount_amount_cents;
  Cents total_cents;
};
BOOST_DESCRIBE_STRUCT(Quote, (), (currency, steps, discount, subtotal_cents, discount_amount_cents, total_cents))

NewOrder order_of(const QuoteInput& input) {
  NewOrder order;
  order.order_number.value = "quote";
  order.customer.name.value = "quote";
  order.items = input.items;
  order.currency = input.currency;
  order.customer_id = input.customer_id;
  order.customer_role_ids = input.customer_role_ids;
  order.discount_code = input.discount_code;
  return order;
}

Task<Reply> quote(Call& call, Database& db) {
  const auto body = call.partial_body<QuoteInput>();
  if (!body.problems.empty()) co_await refuse_order(call, db, body.problems);
  const NewOrder input = order_of(body.value);
  const Order order =
      co_await db.read([&](Tx& tx) { return quote_order(tx, call.tenant, call.actor(), input, call.now); });
  PriceTrace trace = trace_of(order);
  co_return api::json_reply(200, Quote{.currency = trace.currency,
                                       .steps = std::move(trace.steps),
                                       .discount = std::move(trace.discount),
                                       .subtotal_cents = trace.subtotal_cents,
                                       .discount_amount_cents = trace.discount_amount_cents,
                                       .total_cents = trace.total_cents});
}

}  // namespace

std::vector<api::Route> order_quote_routes(Database& db) {
  return {
      route(Method::post, "/api/data/order/quote", Access::data_read, "Compute what an order would cost", quote, db)
          .takes<QuoteInput>()
          .gives<Quote>(200, "The price and the steps to it. Nothing is stored."),
  };
}

}  // namespace guildhall
